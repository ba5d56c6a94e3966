from html import escape

import pytest

from psif.errors import InputError
from psif.evaluation.paper import length_figure, reproduction
from psif.evaluation.paper.length_bars import bars_svg
from psif.evaluation.paper.length_figure import (
    Bar,
    Figure,
    document_gains,
    errors_avoided,
    sentence_gains,
)
from psif.evaluation.paper.method_tables import mean_grid
from psif.evaluation.paper.pages import our_grid, printed_grid, write_pages
from psif.evaluation.paper.published import table
from psif.evaluation.paper.reproduction import TABLES, Row, find_tables, planned, reproduce
from psif.evaluation.runner.results import Failure, Report, Result
from psif.evaluation.tasks import TASKS

RESULTS = [
    Result("20news", "psif", "paper", "accuracy", 85.0, 1.0, 85.4),
    Result("20news", "psif", "inductive", "accuracy", 84.0, 1.0, 85.4),
    Result("20news/sci.med", "psif", "inductive", "recall", 90.0, 1.0),
    Result("bbcsport", "psif", "inductive", "accuracy", 99.0, 1.0, deviation=0.5, n_runs=5),
    Result("sts16", "sif", "inductive", "pearson", 50.0, 1.0, sample=30),
    Result("sts16/headlines", "sif", "inductive", "pearson", 50.0, 1.0, sample=30),
    Result("sts16/headlines", "psif", "inductive", "pearson", 60.0, 1.0, sample=30),
]


@pytest.fixture
def done(monkeypatch):
    failures = [Failure("r8", "psif", "paper", "a | b <c>")]
    asked = {}

    def fake(tasks, methods, **options):
        asked.update(tasks=tasks, methods=methods, **options)
        return Report(list(RESULTS), failures)

    monkeypatch.setattr(reproduction, "run", fake)
    made = reproduce(["newsgroups", "classes", "word-mover", "sts16"], ["psif", "sif"])
    assert [task.name for task in asked["tasks"]].count("20news") == 1
    assert asked["protocols"] == ("paper", "inductive")
    return made


def test_a_number_is_looked_up_in_its_own_table(done):
    (row,) = done.tables["newsgroups"]
    assert (row.published, row.difference("paper")) == (85.4, pytest.approx(-0.4))
    assert row.difference("inductive") == pytest.approx(-1.4)
    both = {r.task: r for r in done.tables["word-mover"]}
    assert both["20news"].published == 79.15
    assert both["bbcsport"].published == 99.05
    assert both["bbcsport"].difference("paper") is None
    assert [r.task for r in done.tables["classes"]] == ["20news/sci.med"]


def test_a_sample_is_not_compared(done):
    row = next(r for r in done.tables["sts16"] if r.task == "sts16")
    assert row.published == 72.5
    assert row.difference("inductive") is None


def test_pages(done, tmp_path):
    bars = [
        Bar("inductive", "sentences", "psif", 0, 10, 20.0, 1),
        Bar("inductive", "sentences", "scdv", 0, 10, 5.0, 1),
        Bar("paper", "sentences", "psif", 10, 20, -2.0, 3),
        Bar("inductive", "20news", "psif", 400, None, 3.0, 1),
        Bar("inductive", "20news", "lda", 400, None, -9.0, 1),
    ]
    figure = Figure("Longer and longer", "Of few.", "words <", bars)
    pages = write_pages(done, [figure], tmp_path, "psif reproduce -o here")
    markdown, html = (page.read_text(encoding="utf-8") for page in pages)
    assert "psif reproduce -o here: 5 scored in 0 minutes" in markdown
    assert "| 20news | psif | accuracy | 85.4 | P-SIF | 85.00 | -0.40 | 84.00 | -1.40 |" in markdown
    assert "99.00 ± 0.50" in markdown
    assert "50.00 (sample of 30)" in markdown
    assert "| texts | protocol | words | psif | scdv |" in markdown
    assert "| sentences | inductive | 0–9 | +20.0 | +5.0 |" in markdown
    assert "| 20news | inductive | 400+ | +3.0 |  |" in markdown
    # At a glance: published / paper / inductive.
    assert "| psif | 85.4 / 85.0 / 84.0 |" in markdown
    assert "| method | 20news | bbcsport |" in markdown
    assert "| psif | 79.15 / 85.0 / 84.0 | 99.05 / – / 99.0 |" in markdown
    assert "r8, psif, paper: a | b <c>" in markdown
    assert "a | b &lt;c&gt;" in html
    # A bar for each method of the figure.
    assert html.count("<rect") == 4
    assert "words &lt;" in html
    assert "## Longer and longer\n\nOf few.\n" in markdown
    assert all(escape(TABLES[name].title) in html for name in done.tables)


def test_grids_are_rectangular(done):
    for rows in done.tables.values():
        assert len({len(row) for row in our_grid(rows)}) == 1
    for paper in TABLES.values():
        if not paper.source:
            continue
        grid = printed_grid(paper.source)
        assert len(grid) == 1 + len(table(paper.source))
        assert len({len(row) for row in grid}) == 1


def test_gains_by_hand():
    lengths = {"sts16/headlines": 9.0, "sts16/other": 12.0}
    (bar,) = sentence_gains(RESULTS, lengths)
    assert bar == Bar("inductive", "sentences", "psif", 0, 10, pytest.approx(20.0), 1)
    assert bars_svg(Figure("", "", "", [])) == ""


def test_gains_on_documents_by_hand():
    results = [
        Result("r8/50–99 words", "sif", "inductive", "accuracy", 80.0, 1.0),
        Result("r8/50–99 words", "psif", "inductive", "accuracy", 90.0, 1.0),
        Result("r8/400+ words", "sif", "inductive", "accuracy", 50.0, 1.0),
        Result("r8/400+ words", "psif", "inductive", "accuracy", 75.0, 1.0),
        Result("r8/400+ words", "psif", "paper", "accuracy", 75.0, 1.0),
        Result("r8/earn", "psif", "inductive", "accuracy", 75.0, 1.0),
        Result("r8", "psif", "inductive", "accuracy", 75.0, 1.0),
    ]
    assert document_gains(results) == [
        Bar("inductive", "r8", "psif", 50, 100, pytest.approx(12.5), 1),
        Bar("inductive", "r8", "psif", 400, None, pytest.approx(50.0), 1),
    ]
    # 10 of the 20 errors, 25 of the 50.
    assert [bar.gain for bar in errors_avoided(results)] == [pytest.approx(50.0)] * 2


def test_where_sif_has_no_error_none_is_avoided():
    results = [
        Result("r8/50–99 words", "sif", "inductive", "accuracy", 100.0, 1.0),
        Result("r8/50–99 words", "psif", "inductive", "accuracy", 90.0, 1.0),
    ]
    assert errors_avoided(results) == []
    assert [bar.gain for bar in document_gains(results)] == [pytest.approx(-10.0)]


def test_means_are_over_all_sets_or_not_given():
    def row(task, method, score):
        ours = {"inductive": Result(task, method, "inductive", "ARI", score, 1.0)}
        return Row(task, method, "ARI", None, None, ours)

    rows = [row("r8", "psif", 50.0), row("20news", "psif", 60.0), row("r8", "sif", 40.0)]
    assert mean_grid(rows, "inductive") == [["method", "ARI"], ["psif", "55.0"]]


def test_without_sub_tasks_there_is_no_figure(done, monkeypatch):
    monkeypatch.setattr(reproduction, "mean_lengths", lambda: {"sts16/headlines": 9.0})
    assert [len(figure.bars) for figure in done.figures()] == [1]
    done.results = RESULTS[:2]
    assert done.figures() == []


def test_tables_name_tasks_of_ours_and_tables_of_the_paper():
    for paper in TABLES.values():
        assert set(paper.tasks) <= {*TASKS, "examples"}
        assert table(paper.source) if paper.source else paper.name == "uses"
    assert [paper.name for paper in find_tables([])] == list(TABLES)
    with pytest.raises(InputError, match=r"no table is called 'newsgroup'. Did you mean"):
        find_tables(["newsgroup"])
    assert length_figure.BINS[0][0] == 0


def test_a_plan_has_the_methods_of_the_tables_where_they_are_quick():
    plan = planned([], None)
    methods = {}
    for job, seconds in plan:
        assert seconds > 0
        methods.setdefault((job.task.name, job.protocol), []).append(job.method)
    assert {"psif", "sif", "scdv", "lda", "boe", "tfidf"} <= set(methods["20news", "inductive"])
    assert not {"wmd", "pv-dm"} & set(methods["20news", "inductive"])
    assert {"wmd", "pv-dm", "wme"} <= set(methods["bbcsport", "inductive"])
    assert "wmd" not in methods["bbcsport", "paper"]
    assert {"usif", "scdv"} <= set(methods["sts16", "paper"])
    assert "scdv" in methods["r8", "inductive"]
    assert "scdv" not in methods["r8", "paper"]
    assert "scdv" not in methods["recipe", "inductive"]
    assert "scdv" in methods["20news", "paper"]
    assert methods["examples", "inductive"] == ["sif", "psif"]
    assert "tfidf" not in methods["sts12", "inductive"]
    # Every table finds all it needs, and the quickest task comes first.
    assert {job.task.name for job, _ in plan} == {
        task for paper in TABLES.values() for task in paper.tasks
    }
    assert plan[0][0].task.name == "examples"


def test_a_plan_of_named_methods_has_no_others():
    jobs = [job for job, _ in planned(["word-mover", "examples"], ["tfidf"])]
    assert {job.method for job in jobs if job.task.name != "examples"} == {"tfidf"}


def test_one_table_of_uses_has_the_methods_of_its_tasks():
    found = {job.method for job, _ in planned(["uses"], None) if job.task.name == "r8"}
    assert {"psif", "wme", "tfidf"} <= found


def test_what_is_missing_is_named_on_the_page(tmp_path):
    done = reproduce(["sts16"], cache=tmp_path, only_known=True)
    assert "sts16, psif, inductive" in done.missing
    markdown = write_pages(done, [], tmp_path)[0].read_text(encoding="utf-8")
    assert "- sts16, psif, inductive: not scored yet" in markdown
