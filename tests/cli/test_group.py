import csv
import json
import re
import shlex
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from psif import Groups
from tests.cli.conftest import make_docs, write_jsonl

pytestmark = pytest.mark.filterwarnings("ignore::psif.PsifWarning")
DOCS = [
    {**doc, "created": f"2024-{1 + i // 20:02}-{1 + i % 20:02}", "tags": ["x"]}
    for i, doc in enumerate(make_docs(120))
]


def test_rows_get_their_groups(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", DOCS)
    result = run(
        "group", "docs.jsonl", "-o", "out.parquet", "-n", 3, "--why", "--json",
        "--date-column", "created", "--over-time", "trends.csv", "--topics-over-time", "topics.csv",
    )  # fmt: skip
    summary = json.loads(result.stdout)
    assert (summary["documents"], len(summary["groups"])) == (120, 3)
    assert sum(g["size"] for g in summary["groups"]) + summary["outliers"] == 120
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert [row["id"] for row in rows] == [doc["id"] for doc in DOCS]
    assert [row["n"] for row in rows] == [doc["n"] for doc in DOCS]
    for row in rows:
        assert row["group"] in (None, row["nearest_group"])
        subject = row["id"].split("-")[0]
        group = summary["groups"][row["nearest_group"]]
        assert {t.split("-")[0] for t in group["typical"]} == {subject}
        assert row["why"].split()[0] in row["text"]
    with (tmp_path / "trends.csv").open() as file:
        trends = list(csv.DictReader(file))
    assert len({row["period"] for row in trends}) > 1
    assert sum(float(row["documents"]) for row in trends) == 120 - summary["outliers"]
    with (tmp_path / "topics.csv").open() as file:
        topics = list(csv.DictReader(file))
    # Shares of topics add up to the documents of each period.
    for start in {row["period"] for row in topics}:
        own = [row for row in topics if row["period"] == start]
        assert sum(float(row["documents"]) for row in own) == pytest.approx(
            int(own[0]["all_documents"]), rel=1e-5
        )
    model = Groups.load(tmp_path / "out.groups").model
    assert {row["group"] for row in topics} == set(model.topic_names_)
    # New documents join the saved groups.
    write_jsonl(tmp_path / "new.jsonl", DOCS[:9])
    run("group", "new.jsonl", "-o", "new.csv", "--groups", "out.groups")
    with (tmp_path / "new.csv").open() as file:
        again = [row["nearest_group"] for row in csv.DictReader(file)]
    assert again == [str(row["nearest_group"]) for row in rows[:9]]
    assert len(Groups.load(tmp_path / "out.groups")) == 3


def test_mistakes_are_told(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", DOCS)
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "mine").write_text("x")
    for words, message in (
        (["-o", "docs.jsonl"], "is an input"),
        (["-o", "out.txt"], "does not have"),
        (["-o", "out.csv", "--save", "taken"], "would be lost"),
        (["-o", "out.csv", "--date-column", "no", "--over-time", "t.csv"], "no column 'no'"),
        (["-o", "out.csv", "--groups", "taken"], "holds no groups"),
        (["-o", "out.csv", "-n", "500"], "only 120 documents"),
    ):
        result = run("group", "docs.jsonl", *words, code=1)
        assert message in result.stderr
        assert not (tmp_path / "out.csv").exists()
    run("group", "docs.jsonl", "-o", "out.csv", "--over-time", "t.csv", code=2)


def test_a_column_with_the_name_of_a_new_one_is_told_before_anything_is_learned(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", [*DOCS[:50], {**DOCS[50], "group_name": "mine"}])
    result = run("group", "docs.jsonl", "-o", "out.csv", "--model", "no.model", code=1)
    assert "docs.jsonl: the input has a column 'group_name' already" in result.stderr
    run("group", "docs.jsonl", "-o", "out.csv", "--topics-over-time", "t.csv", code=2)


def test_commands_of_the_page(run, tmp_path):
    rows = [{**doc, "body": doc.pop("text")} for doc in map(dict, DOCS)]
    with (tmp_path / "tickets.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    (tmp_path / "new.csv").write_bytes((tmp_path / "tickets.csv").read_bytes())
    page = (Path(__file__).parents[2] / "docs" / "group.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ psif (.*)$", page, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        run(*shlex.split(command))
    assert (tmp_path / "trends.svg").read_text().startswith("<svg")
