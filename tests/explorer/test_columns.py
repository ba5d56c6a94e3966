import base64
import datetime as dt

import numpy as np
import pytest

from psif.explorer import columns
from psif.explorer.columns import MISSING, Fields, describe


def unpack(packed):
    return np.frombuffer(base64.b64decode(packed["data"]), dtype=packed["type"])


def codes(column):
    names = column.data["names"]
    return [None if c == MISSING else names[c] for c in unpack(column.data["codes"])]


def test_numbers_from_numbers_and_from_texts():
    for values in ([1.5, None, -2, float("nan")], ["1.5", "", "-2", " "]):
        column = describe("n", [*values, *range(20)])
        assert column.kind == "number"
        np.testing.assert_array_equal(unpack(column.data["values"])[:4], [1.5, np.nan, -2, np.nan])
        assert not column.data["whole"]
    assert describe("n", list(range(20))).data["whole"]


@pytest.mark.parametrize("value", ["1,5", "0x10", "1e9999", "inf", "nan", "١", "1_0", "9" * 50])
def test_what_is_no_number(value):
    assert describe("n", [value, "2"]).kind == "label"


def test_few_whole_numbers_are_labels_in_their_order():
    column = describe("stars", [5, 1, 5, 5, None, 10])
    assert column.kind == "label"
    assert column.data["names"] == ["1", "5", "10"]
    assert codes(column) == ["5", "1", "5", "5", None, "10"]


def test_labels_by_falling_count():
    column = describe("kind", ["b", "a", "b", None, "", "  ", True, "c", "a", "b"])
    assert column.data["names"] == ["b", "a", "c", "true"]
    assert codes(column) == ["b", "a", "b", None, None, None, "true", "c", "a", "b"]


def test_dates():
    column = describe("day", ["2024-01-02", None, "3 Jan 2024"])
    assert (column.kind, column.data["days"]) == ("date", True)
    assert np.diff(unpack(column.data["values"])[[0, 2]]) == 86_400
    assert not describe("at", ["2024-01-02T10:00:00", "2024-01-03"]).data["days"]
    assert describe("day", [dt.date(2024, 1, 2)]).kind == "date"


def test_many_different_texts_are_no_labels():
    column = describe("url", [f"https://example.org/{i}" for i in range(100_000)])
    assert column.kind == "text"
    assert column.data["texts"][7] == "https://example.org/7"
    assert describe("x", ["y" * 1000 + str(i) for i in range(99)]).data["texts"][0] == "y" * 300


def test_nested_and_odd_values_are_texts():
    values = [{"a": [1, {"b": None}]}, [1, 2], b"\xff", dt.timedelta(1), 10**400, "x", 2]
    column = describe("odd", values)
    assert codes(column)[:2] == ['{"a": [1, {"b": null}]}', "[1, 2]"]
    assert all(isinstance(name, str) for name in column.data["names"])


def test_columns_without_values_are_left_out():
    assert describe("none", [None, "", float("inf")]) is None
    assert describe("", ["x"]).name == "(no name)"
    assert len(describe("n" * 500, ["x"]).name) == 80


def test_fields_keep_the_columns_of_the_documents_that_are_kept():
    fields = Fields()
    fields.start(3)
    for given, row in (({"a": "x"}, 2), ({"a": "lost"}, None), ({"b": "y", "a": "z"}, 0)):
        fields(given)
        fields.keep(row)
    fields.keep(1)  # a document without other columns takes none of the one before
    (a, b), notes = fields.columns()
    assert (codes(a), codes(b), notes) == (["z", None, "x"], ["y", None, None], [])


def test_too_many_columns_and_too_much_text_are_told(monkeypatch):
    monkeypatch.setattr(columns, "_MOST_CHARACTERS", 3000)
    fields = Fields()
    fields.start(60)
    for row in range(60):
        # Two columns of distinct texts, 2,400 and 1,200 characters, among many of one label.
        fields({"long": f"{row:040}x", "short": f"{row:020}x", **{f"c{i}": "l" for i in range(50)}})
        fields.keep(row)
    found, notes = fields.columns()
    assert [column.name for column in found][:2] == ["short", "c0"]
    assert len(found) == 39
    assert notes == [
        "only the first 40 columns of the texts are shown",
        "columns with too much text are left out: 'long'",
    ]
