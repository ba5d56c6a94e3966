from dataclasses import replace

import pytest

from psif.errors import FormatError, InputError
from psif.evaluation.paper.paper_tables import is_kept
from psif.evaluation.paper.reproduction import reproduce
from psif.evaluation.paper.score_table import ScoreTable
from psif.evaluation.runner.results import Result, Run

RUN = Run(
    "r8", "psif", "inductive", "classification", "paper", "default", 3, 1, None, 0, 12.5,
    "2026-01-02", "2 cores, x86_64", "psif=0.2 numpy=2", "abc123", "psif reproduce -o x",
)  # fmt: skip
ROWS = [
    Result("r8", "psif", "inductive", "accuracy", 97.123456789, 12.5),
    Result("r8", "psif", "inductive", "f1", 90.0, 12.5, deviation=0.54321),
    Result("r8/50–99 words", "psif", "inductive", "accuracy", 0.5, 12.5),
]


@pytest.fixture
def folder(tmp_path):
    table = ScoreTable()
    table.update([RUN], ROWS)
    table.write(tmp_path)
    return tmp_path


def test_what_is_written_is_read_again(folder):
    table = ScoreTable.read(folder)
    assert list(table.runs.values()) == [RUN]
    found = [(r.task, r.metric, r.score, r.deviation) for r in table.results]
    # Six digits of a score, four of a deviation.
    assert found == [
        ("r8", "accuracy", 97.1235, None),
        ("r8", "f1", 90.0, 0.5432),
        ("r8/50–99 words", "accuracy", 0.5, None),
    ]
    assert {(r.seconds, r.n_runs, r.sample) for r in table.results} == {(12.5, 1, None)}
    lines = (folder / "scores.csv").read_text("utf-8").splitlines()
    assert lines[:2] == [
        "task,method,protocol,metric,score,deviation",
        "r8,psif,inductive,accuracy,97.1235,",
    ]


def test_a_folder_without_scores_is_an_empty_table(tmp_path):
    assert ScoreTable.read(tmp_path / "nowhere").results == []


def test_a_new_run_replaces_all_scores_of_the_old_one(folder):
    table = ScoreTable.read(folder)
    table.update([RUN], [Result("r8", "psif", "inductive", "accuracy", 50.0, 1.0)])
    assert [r.score for r in table.results] == [50.0]


def test_tasks_methods_and_protocols_have_a_fixed_order():
    places = [
        ("20news", "sif", "paper"), ("20news", "psif", "inductive"), ("20news", "psif", "paper"),
        ("sts12", "average", "paper"), ("examples", "sif", "paper"),
    ]  # fmt: skip
    table = ScoreTable()
    for task, method, protocol in reversed(places):
        run = replace(RUN, task=task, method=method, protocol=protocol)
        table.update([run], [Result(task, method, protocol, "accuracy", 1.0, 1.0)])
    assert list(table.runs) == places


def test_a_former_name_of_a_protocol_is_read(folder):
    for name in ("scores.csv", "runs.csv"):
        text = (folder / name).read_text("utf-8")
        (folder / name).write_text(text.replace("inductive", "honest"), "utf-8")
    assert ScoreTable.read(folder).has(("r8", "psif", "inductive"), ["classification"])


def test_a_run_whose_scores_are_not_there_was_not_scored(folder):
    (folder / "scores.csv").write_text("task,method,protocol,metric,score,deviation\n", "utf-8")
    assert ScoreTable.read(folder).runs == {}


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("scores.csv", "97.1235", "much", r"scores\.csv, line 2: .*'much'"),
        ("scores.csv", "metric", "measure", r"scores\.csv: expected the columns task, method"),
        ("scores.csv", "r8,psif", "r9,psif", r"line 2: no task is called 'r9'"),
        ("runs.csv", "psif,inductive", "psif,deductive", r"line 2: no protocol is called"),
        ("runs.csv", ",3,1,", ",three,1,", r"runs\.csv, line 2: .*'three'"),
    ],
)
def test_a_damaged_table_is_named_with_its_line(folder, name, old, new, message):
    path = folder / name
    text = path.read_text("utf-8").replace(old, new)
    path.write_text(text, "utf-8")
    with pytest.raises(FormatError, match=message):
        ScoreTable.read(folder)


def test_bytes_that_are_no_text_are_refused(folder):
    (folder / "runs.csv").write_bytes(b"\xff\xfe")
    with pytest.raises(FormatError, match=r"runs\.csv: not a table of scores"):
        ScoreTable.read(folder)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"n_splits": 3, "sample": 50},
            "sample=None and seed=0; .* sample=50",
        ),
        ({"n_splits": 2}, "splits=3, .* new ones with splits=2"),
        ({"n_splits": 3, "random_state": 1}, "new ones .* seed=1 are not comparable"),
        ({"n_splits": 3, "vectors": "sgns"}, "word vectors default; new ones of .* with sgns"),
    ],
)
def test_scores_that_are_not_comparable_are_refused_before_any_work(folder, options, message):
    with pytest.raises(InputError, match=message):
        reproduce(["word-mover"], ["tfidf"], folder=folder, **options)
    assert not (folder / ".cache").exists()


def test_parts_are_kept_where_a_page_shows_them():
    def kept(task, method, metric):
        return is_kept(Result(task, method, "inductive", metric, 1.0, 1.0))

    assert kept("reuters", "lda", "F1 (macro)")
    assert kept("20news/sci.med", "scdv", "recall")
    assert kept("20news/sci.med", "psif-hybrid", "recall")
    # The paper prints no table of classes for these.
    assert not kept("20news/sci.med", "lda", "recall")
    assert not kept("r8/earn", "scdv", "recall")
    assert kept("r8/400+ words", "sif", "accuracy")
    assert not kept("r8/400+ words", "lda", "accuracy")
    assert kept("sts12/MSRpar", "sif", "pearson")
    assert not kept("sts12/MSRpar", "sif", "spearman")
    assert kept("examples/3", "sif", "cosine")
