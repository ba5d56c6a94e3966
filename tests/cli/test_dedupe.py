import csv
import gzip
import json
import re
import shlex
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from psif.cli.main import psif

A = "The printer on the third floor does not print any longer"
B = "the printer on the third floor does not print any longer!"
C = "Since this morning the printer on the third floor does not print any longer"
D = "My password has expired and I cannot log in to the portal"


def run(*arguments, stdin=None):
    return CliRunner().invoke(psif, ["dedupe", *map(str, arguments)], input=stdin)


@pytest.fixture
def tickets(tmp_path):
    path = tmp_path / "tickets.csv"
    rows = [("7", A, "open", "1"), ("8", D, "", "2"), ("9", B, "=x", "3"), ("10", C, "<b>", "4")]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("ticket", "body", "state", "n"), *rows])
    return path


OPTIONS = ("--text-column", "body", "--id-column", "ticket")


def test_rows_keep_their_columns_in_every_format(tickets, tmp_path):
    for ending in ("csv", "tsv", "jsonl", "parquet", "txt"):
        out = tmp_path / f"kept.{ending}"
        result = run(tickets, *OPTIONS, "-o", out, "--threshold", "0.85")
        assert result.exit_code == 0, result.output
        assert "2 of 4 documents stay" in result.stdout
    expected = [
        {"ticket": "7", "body": A, "state": "open", "n": "1"},
        {"ticket": "8", "body": D, "state": "", "n": "2"},
    ]
    with (tmp_path / "kept.csv").open() as file:
        assert list(csv.DictReader(file)) == expected
    with (tmp_path / "kept.tsv").open() as file:
        assert list(csv.DictReader(file, delimiter="\t")) == expected
    assert [json.loads(x) for x in (tmp_path / "kept.jsonl").read_text().splitlines()] == expected
    assert pq.read_table(tmp_path / "kept.parquet").to_pylist() == expected
    assert (tmp_path / "kept.txt").read_text().splitlines() == [A, D]


def test_the_report_names_the_copy_that_stays(tickets, tmp_path):
    report = tmp_path / "copies.csv"
    run(tickets, *OPTIONS, "-o", tmp_path / "k.csv", "--report", report, "--threshold", "0.85")
    with report.open() as file:
        rows = list(csv.DictReader(file))
    assert [(r["id"], r["kept"], r["level"]) for r in rows] == [
        ("9", "7", "identical"),
        ("10", "7", "near"),
    ]
    # Three of fourteen words were added.
    assert float(rows[1]["similarity"]) == pytest.approx(1 - 3 / 28, abs=1e-6)


def test_the_longest_copy_can_stay(tickets, tmp_path):
    out = tmp_path / "k.jsonl"
    run(tickets, *OPTIONS, "-o", out, "--keep", "longest", "--threshold", "0.85")
    assert [json.loads(line)["ticket"] for line in out.read_text().splitlines()] == ["8", "10"]


def test_marks_are_columns_for_the_explorer(tickets, tmp_path):
    out = tmp_path / "marked.jsonl"
    result = run(tickets, *OPTIONS, "-o", out, "--mark", "--threshold", "0.85", "--json")
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["copy_of"] for row in rows] == [None, None, "7", "7"]
    assert [row["copy_group"] for row in rows] == [0, None, 0, 0]
    summary = json.loads(result.stdout)
    assert (summary["documents"], summary["kept"], summary["dropped"]) == (4, 2, 2)
    assert summary["levels"] == {"identical": 1, "near": 1, "paraphrase": 0}


def test_copies_of_old_documents_are_dropped_whatever_stays(tickets, tmp_path):
    old = tmp_path / "old.txt"
    old.write_text("an old document about something else\n" + A.upper() + "\n")
    out = tmp_path / "new.jsonl"
    for keep in ("first", "longest"):
        result = run(
            tickets, *OPTIONS, "-o", out, "--against", old, "--keep", keep,
            "--threshold", "0.85", "--report", tmp_path / "r.jsonl",
        )  # fmt: skip
        # The columns of the new documents are not those of the old ones.
        assert result.exit_code == 0, result.output
        assert [json.loads(line)["ticket"] for line in out.read_text().splitlines()] == ["8"]
        assert {json.loads(x)["kept"] for x in (tmp_path / "r.jsonl").read_text().splitlines()} == {
            "1"
        }


def test_nested_values_and_missing_columns(tmp_path):
    path = tmp_path / "in.jsonl.gz"
    rows = [
        {"text": A, "tags": ["a", {"b": 1}], "n": 1},
        {"text": D, "n": 2.5, "when": "2024-01-01", "big": 2**70},
        {"text": B, "n": 3},
    ]
    with gzip.open(path, "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    for ending in ("jsonl", "parquet", "csv"):
        assert run(path, "-o", tmp_path / f"k.{ending}").exit_code == 0
    assert [json.loads(line) for line in (tmp_path / "k.jsonl").read_text().splitlines()] == rows[
        :2
    ]
    table = pq.read_table(tmp_path / "k.parquet").to_pylist()
    assert [row["n"] for row in table] == [1.0, 2.5]
    assert json.loads(table[0]["tags"]) == rows[0]["tags"]
    assert table[1]["big"] == str(2**70)


def test_parquet_keeps_its_types(tmp_path):
    from datetime import UTC, date, datetime

    import pyarrow as pa

    rows = {
        "text": [A, D, B],
        "day": [date(2024, 1, 2)] * 3,
        "at": [datetime(2024, 1, 2, 3, 4, tzinfo=UTC)] * 3,
        "ok": [True, None, False],
        "n": [1, 2, 3],
    }
    pq.write_table(pa.table(rows), tmp_path / "in.parquet")
    assert run(tmp_path / "in.parquet", "-o", tmp_path / "out.parquet").exit_code == 0
    kept = pq.read_table(tmp_path / "out.parquet")
    assert kept.column_names == list(rows)
    assert kept.to_pydict() == {name: values[:2] for name, values in rows.items()}


def test_standard_input_and_folders(tmp_path):
    out = tmp_path / "k.txt"
    assert run("-", "-o", out, stdin=f"{A}\n{D}\n{B}\n").exit_code == 0
    assert out.read_text().splitlines() == [A, D]
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in (("a.txt", A), ("b.txt", D), ("c.txt", B)):
        (folder / name).write_text(text)
    assert run(folder, "-o", tmp_path / "k.jsonl").exit_code == 0
    assert [json.loads(x)["id"] for x in (tmp_path / "k.jsonl").read_text().splitlines()] == [
        "a.txt",
        "b.txt",
    ]


def test_one_document_all_alike_and_empty_ones(tmp_path):
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    for texts, n_kept in (([A], 1), ([A] * 50, 1), (["", "", A], 2), (["ä" * 3, "Ä" * 3], 1)):
        source.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
        assert run(source, "-o", out).exit_code == 0
        assert len(out.read_text().splitlines()) == n_kept


def test_an_input_is_never_overwritten(tickets, tmp_path):
    before = tickets.read_bytes()
    for arguments in (
        (tickets, "-o", tickets),
        (tickets, "-o", tmp_path / "k.csv", "--report", tickets),
        (tickets, "-o", tmp_path / "k.csv", "--report", tmp_path / "k.csv"),
    ):
        result = run(*arguments, *OPTIONS)
        assert result.exit_code == 1
        assert tickets.read_bytes() == before
        assert not (tmp_path / "k.csv").exists()
    old = tmp_path / "old.csv"
    old.write_bytes(before)
    assert "is an input" in run(tickets, *OPTIONS, "-o", old, "--against", old).stderr


def test_mistakes_are_told_in_one_line(tickets, tmp_path):
    result = run(tickets, "-o", tmp_path / "k.csv")
    assert (result.exit_code, "--text-column" in result.stderr) == (1, True)
    result = run(tickets, *OPTIONS, "-o", tmp_path / "k.xlsx")
    assert "must be one of .jsonl, .csv, .tsv, .parquet, .txt" in result.stderr
    result = run(tickets, *OPTIONS, "-o", tmp_path / "k.txt", "--mark")
    assert "does not have" in result.stderr
    assert run(tickets, *OPTIONS, "-o", tmp_path / "k.csv", "--threshold", "2").exit_code == 2


def test_the_same_input_gives_the_same_bytes(tickets, tmp_path):
    for name in ("a", "b"):
        run(tickets, *OPTIONS, "-o", tmp_path / f"{name}.parquet", "--threshold", "0.85")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_commands_of_the_page(tickets, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("today", "archive"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"text": A}) + "\n")
    page = (Path(__file__).parents[2] / "docs" / "dedupe.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ psif dedupe (.*)$", page, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        result = run(*shlex.split(command))
        assert result.exit_code == 0, result.output
    assert (tmp_path / "new.jsonl").read_text() == ""
