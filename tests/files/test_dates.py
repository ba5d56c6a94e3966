from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest

from psif.files.dates import parse_dates

DAY = datetime(2024, 1, 31, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "written",
    [
        "2024-01-31",
        "20240131",
        "2024-01-31T00:00:00Z",
        "2024-01-31 01:00:00+01:00",
        " 2024/01/31 ",
        "31.01.2024",
        "31 Jan 2024",
        "January 31, 2024",
        "1/31/2024",
        "31/1/2024",
        "31/01/2024 00:00",
        "Wed, 31 Jan 2024 01:00:00 +0100",
        date(2024, 1, 31),
        datetime(2024, 1, 31),
        datetime(2024, 1, 31, 1, tzinfo=timezone(timedelta(hours=1))),
    ],
)
def test_a_date_is_read_however_it_is_written(written):
    assert parse_dates([written]).tolist() == [DAY]


def test_missing_and_a_few_wrong_ones():
    values = ["2024-01-31"] * 40 + [None, "soon"]
    found = parse_dates(values)
    assert found[0] == DAY
    assert np.isnan(found[40:]).all()
    assert parse_dates(["2024-01-31", "soon"]) is None
    assert parse_dates([None, None]) is None
    assert parse_dates([]) is None
    assert parse_dates([3, 4]) is None


def test_the_order_of_day_and_month_is_that_of_the_column():
    both = parse_dates(["1/2/2024", "13/2/2024"])
    assert [datetime.fromtimestamp(s, UTC).month for s in both] == [2, 2]
    assert datetime.fromtimestamp(parse_dates(["1/2/2024"])[0], UTC).month == 1
    # No order fits both.
    assert parse_dates(["13/2/2024", "2/13/2024"]) is None


@pytest.mark.parametrize(
    "text", ["x" * 1000, "1/1", "٣/٣/٢٠٢٤x", "0000-00-00", "\x00", "99/99/9999"]
)
def test_no_dates(text):
    assert parse_dates([text]) is None


def test_texts_are_given_up_early(monkeypatch):
    from psif.files import dates

    tried = []
    monkeypatch.setattr(dates, "_read", lambda value, slashed: tried.append(value))
    assert parse_dates([f"text {i}" for i in range(1000)]) is None
    assert len(tried) < 100
