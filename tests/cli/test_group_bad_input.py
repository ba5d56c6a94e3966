"""What a file of documents may contain: odd dates, odd columns, too few or too equal documents."""

import csv
import json

import pyarrow.parquet as pq
import pytest

from psif.explorer.columns import describe
from tests.cli.conftest import make_docs, write_jsonl

pytestmark = pytest.mark.filterwarnings("ignore::psif.PsifWarning")
DATES = (
    "2024-03-01",
    "March 2, 2024",
    "Tue, 5 Mar 2024 10:00:00 +0100",
    "2024-03-04T12:30",
    None,
    "",
    "soon",
)
HTML = "<script>alert(1)</script>"


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_dates_of_several_formats_or_none(run, tmp_path):
    docs = [{**doc, "at": DATES[i % len(DATES)]} for i, doc in enumerate(make_docs(70))]
    write_jsonl(tmp_path / "docs.jsonl", docs)
    result = run(
        "group", "docs.jsonl", "-o", "out.csv", "-n", 3, "--json",
        "--date-column", "at", "--over-time", "trends.csv", "--period", "day",
    )  # fmt: skip
    trends = json.loads(result.stdout)["over_time"]
    assert trends["missing"] == 30  # None, "" and "soon"
    days = {row["period"] for row in rows_of(tmp_path / "trends.csv")}
    assert {"2024-03-01", "2024-03-02", "2024-03-04", "2024-03-05"} <= days
    assert len(rows_of(tmp_path / "out.csv")) == 70


def test_nested_values_and_html_stay_what_they_are(run, tmp_path):
    nested = {"a": [1, {"b": None}], HTML: "ü"}
    docs = [{**doc, HTML: HTML, "nested": nested} for doc in make_docs(40)]
    write_jsonl(tmp_path / "docs.jsonl", docs)
    run("group", "docs.jsonl", "-o", "out.jsonl", "-n", 2)
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    for doc, line in zip(docs, lines, strict=True):
        row = json.loads(line)
        assert {name: row[name] for name in doc} == doc
    run("group", "docs.jsonl", "-o", "out.parquet", "-n", 2)
    for row in pq.read_table(tmp_path / "out.parquet").to_pylist():
        assert row[HTML] == HTML
        assert "ü" in str(row["nested"])
    run("group", "docs.jsonl", "-o", "out.csv", "-n", 2)
    for row in rows_of(tmp_path / "out.csv"):
        assert row[HTML] == HTML
        assert json.loads(row["nested"]) == nested


@pytest.mark.parametrize("n_docs", [2, 50])
def test_all_documents_alike(run, tmp_path, n_docs):
    docs = [{"id": str(i), "text": "the cat sat on the mat"} for i in range(n_docs)]
    write_jsonl(tmp_path / "docs.jsonl", docs)
    run("group", "docs.jsonl", "-o", "out.csv")
    rows = rows_of(tmp_path / "out.csv")
    assert {row["group"] for row in rows} == {"0"}
    run("dedupe", "docs.jsonl", "-o", "kept.csv")
    assert [row["id"] for row in rows_of(tmp_path / "kept.csv")] == ["0"]


def test_two_documents(run, tmp_path):
    docs = [{"id": "a", "text": "cats and dogs"}, {"id": "b", "text": "banks lend money"}]
    write_jsonl(tmp_path / "docs.jsonl", docs)
    run("group", "docs.jsonl", "-o", "out.csv")
    assert [row["id"] for row in rows_of(tmp_path / "out.csv")] == ["a", "b"]
    run("group", "docs.jsonl", "-o", "two.csv", "-n", 2)
    assert {row["nearest_group"] for row in rows_of(tmp_path / "two.csv")} == {"0", "1"}
    assert "only 2 documents" in run("group", "docs.jsonl", "-o", "x.csv", "-n", 3, code=1).stderr
    run("dedupe", "docs.jsonl", "-o", "kept.csv")
    assert len(rows_of(tmp_path / "kept.csv")) == 2


def test_a_column_of_100_000_distinct_values():
    assert describe("key", [f"user {i}" for i in range(100_000)]).kind == "text"
    assert describe("size", [str(i / 7) for i in range(100_000)]).kind == "number"
    # Half of them the same: still too many labels for a list.
    assert describe("key", [f"user {i}" if i % 2 else "?" for i in range(100_000)]).kind == "text"
