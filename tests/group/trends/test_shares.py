import gzip
import json
import os
import re
from datetime import date, timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from scipy.stats import norm

from psif import InputError
from psif.group.trends.files import trend_svg, write_trends
from psif.group.trends.shares import group_trends, share_trends


def test_shares_and_the_test_for_trend_by_hand():
    # Three months with 4, 4 and 2 documents; group 0 has 1, 2 and 2 of them.
    dates = ["2024-01-05"] * 4 + ["15.02.2024"] * 4 + ["2024-03-31T23:59:00"] * 2 + [None, "  "]
    labels = np.array([0, 1, 1, 1, 0, 0, 1, -1, 0, 0, 1, 1])
    trends = group_trends(dates, labels, ["a", "b"], "month")
    assert trends.starts == ["2024-01-01", "2024-02-01", "2024-03-01"]
    assert trends.totals.tolist() == [4, 4, 2]
    assert trends.counts.tolist() == [[1, 3], [2, 1], [2, 0]]
    assert trends.shares.tolist() == [[0.25, 0.75], [0.5, 0.25], [1, 0]]
    assert trends.missing == 2
    # The mean time is 0.8; p = 1/2.
    times = np.array([-0.8, 0.2, 1.2])
    z = (times @ [1, 2, 2]) / np.sqrt(0.25 * (times**2 @ [4, 4, 2]))
    assert trends.slopes[0] == pytest.approx(z)
    raw = 2 * norm.sf(abs(trends.slopes))
    smaller, larger = sorted(raw)
    assert sorted(trends.p_values) == pytest.approx([2 * smaller, max(2 * smaller, larger)])
    assert trends.change(0) == "steady"


def test_what_rises_and_falls_is_found():
    rng = np.random.default_rng(0)
    days = rng.integers(0, 700, 4000)
    dates = [date(2022, 1, 1) + timedelta(days=int(day)) for day in days]
    labels = np.where(rng.random(4000) < 0.1 + 0.2 * days / 700, 0, 1 + rng.integers(0, 2, 4000))
    trends = group_trends(dates, labels, ["up", "down", "down too"])
    assert trends.period == "month"
    assert [trends.change(g) for g in range(3)] == ["rises", "falls", "falls"]
    assert trends.to_dict()["groups"][0]["name"] == "up"
    steady = group_trends(dates, rng.integers(0, 5, 4000), list("abcde"), "quarter")
    assert {steady.change(g) for g in range(5)} == {"steady"}
    assert len(steady.starts) == 8


@pytest.mark.parametrize(
    ("period", "expected"),
    [("day", "2024-05-15"), ("week", "2024-05-13"), ("month", "2024-05-01"),
     ("quarter", "2024-04-01"), ("year", "2024-01-01")],
)  # fmt: skip
def test_periods_begin_where_they_should(period, expected):
    trends = group_trends(["2024-05-15"], np.array([0]), ["a"], period)
    assert trends.starts == [expected]
    assert trends.p_values.tolist() == [1.0]


def test_shares_of_topics_add_up():
    trends = share_trends(
        ["2024", "2025-01-01", "2025-06-01"][1:], np.array([[0.3, 0.7]] * 2), ["a", "b"]
    )
    assert trends.counts.sum() == pytest.approx(2)


def test_bad_dates_are_told():
    with pytest.raises(InputError, match="one of them is 'soon'"):
        group_trends(["soon", None], np.array([0, 0]), ["a"])
    with pytest.raises(InputError, match="1 dates were given for 2"):
        group_trends(["2024-01-01"], np.array([0, 0]), ["a"])
    with pytest.raises(InputError, match="got 'decade'"):
        group_trends(["2024-01-01"], np.array([0]), ["a"], "decade")


def test_tables_and_pictures(tmp_path):
    trends = group_trends(["2024-01-01", "2024-02-01"], np.array([0, 1]), ["<b>&", "x"], "month")
    write_trends(trends, tmp_path / "t.csv")
    lines = (tmp_path / "t.csv").read_text().splitlines()
    assert lines[0] == "period,group,documents,share,all_documents,change,p"
    assert lines[1].startswith("2024-01-01,<b>&,1.0,1.0,1,steady,0.31")
    write_trends(trends, tmp_path / "t.parquet")
    write_trends(trends, tmp_path / "t.svg")
    ET.fromstring(trend_svg(trends))
    with pytest.raises(InputError, match=r"must be one of .*\.svg"):
        write_trends(trends, tmp_path / "t.gif")


def test_headers_of_20_newsgroups_are_read():
    data = os.environ.get("PSIF_DATA")
    path = Path(data or ".") / "20news_bydate" / "train.jsonl.gz"
    if not path.is_file():
        pytest.skip("PSIF_DATA has no 20 Newsgroups")
    dates, labels, names = [], [], {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            found = re.search(r"^(?:Date|Expires): (.*)$", row["text"], re.MULTILINE)
            dates.append(found[1].strip() if found else None)
            labels.append(names.setdefault(row["label"], len(names)))
    seconds = [value for value in dates if value]
    if len(seconds) < 50:
        pytest.skip("these documents have no dates")
    trends = group_trends(dates, np.array(labels), list(names), "year")
    assert trends.missing >= dates.count(None)
    assert trends.totals.sum() == len(dates) - trends.missing
    # Some are no dates ("+60days") or have years of two digits.
    assert trends.totals.sum() > 0.85 * len(seconds)
