from html import escape

import pytest

from psif.errors import InputError
from psif.evaluation import length_figure, reproduction
from psif.evaluation.length_figure import Bar, bars_svg, gains
from psif.evaluation.published import table
from psif.evaluation.reproduction import TABLES, find_tables, planned, reproduce
from psif.evaluation.reproduction_pages import our_grid, printed_grid, write_pages
from psif.evaluation.results import Failure, Report, Result
from psif.evaluation.tasks import TASKS

RESULTS = [
    Result("20news", "psif", "paper", "accuracy", 85.0, 1.0, 85.4),
    Result("20news", "psif", "honest", "accuracy", 84.0, 1.0, 85.4),
    Result("20news/sci.med", "psif", "honest", "recall", 90.0, 1.0),
    Result("bbcsport", "psif", "honest", "accuracy", 99.0, 1.0, deviation=0.5, n_runs=5),
    Result("sts16", "sif", "honest", "pearson", 50.0, 1.0, sample=30),
    Result("sts16/headlines", "sif", "honest", "pearson", 50.0, 1.0, sample=30),
    Result("sts16/headlines", "psif", "honest", "pearson", 60.0, 1.0, sample=30),
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
    assert asked["protocols"] == ("paper", "honest")
    return made


def test_a_number_is_looked_up_in_its_own_table(done):
    (row,) = done.tables["newsgroups"]
    assert (row.published, row.difference("paper")) == (85.4, pytest.approx(-0.4))
    assert row.difference("honest") == pytest.approx(-1.4)
    both = {r.task: r for r in done.tables["word-mover"]}
    assert both["20news"].published == 79.15
    assert both["bbcsport"].published == 99.05
    assert both["bbcsport"].difference("paper") is None
    assert [r.task for r in done.tables["classes"]] == ["20news/sci.med"]


def test_a_sample_is_not_compared(done):
    row = next(r for r in done.tables["sts16"] if r.task == "sts16")
    assert row.published == 72.5
    assert row.difference("honest") is None


def test_pages(done, tmp_path):
    bars = [Bar("honest", "psif", 0, 10, 20.0, 1), Bar("paper", "psif", 10, 20, -2.0, 3)]
    markdown, html = (p.read_text(encoding="utf-8") for p in write_pages(done, bars, tmp_path))
    assert "| 20news | psif | accuracy | 85.4 | P-SIF | 85.00 | -0.40 | 84.00 | -1.40 |" in markdown
    assert "99.00 ± 0.50" in markdown
    assert "50.00 (sample of 30)" in markdown
    assert "| honest | psif | 0–10 | +20.0 | 1 |" in markdown
    assert "r8, psif, paper: a | b <c>" in markdown
    assert "a | b &lt;c&gt;" in html
    assert html.count("<rect") == 2
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
    (bar,) = gains(RESULTS, lengths)
    assert bar == Bar("honest", "psif", 0, 10, pytest.approx(20.0), 1)
    assert bars_svg([]) == ""


def test_without_sub_tasks_there_is_no_figure(done, monkeypatch):
    monkeypatch.setattr(reproduction, "mean_lengths", lambda: {"sts16/headlines": 9.0})
    assert len(done.bars()) == 1
    done.results = RESULTS[:2]
    assert done.bars() == []


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
    assert {"psif", "sif", "scdv", "lda", "boe", "tfidf"} <= set(methods["20news", "honest"])
    assert not {"wmd", "pv-dm"} & set(methods["20news", "honest"])
    assert {"wmd", "pv-dm", "wme"} <= set(methods["bbcsport", "honest"])
    assert "wmd" not in methods["bbcsport", "paper"]
    assert {"usif", "scdv"} <= set(methods["sts16", "paper"])
    assert "scdv" in methods["r8", "honest"]
    assert "scdv" not in methods["r8", "paper"]
    assert "scdv" in methods["20news", "paper"]
    assert methods["examples", "honest"] == ["sif", "psif"]
    assert "tfidf" not in methods["sts12", "honest"]
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
    assert "sts16, psif, honest" in done.missing
    markdown = write_pages(done, [], tmp_path)[0].read_text(encoding="utf-8")
    assert "- sts16, psif, honest: not scored yet" in markdown
