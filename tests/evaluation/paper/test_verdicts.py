"""Claims of the paper against scores, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from psif.evaluation.paper.dot_plot import dots_svg
from psif.evaluation.paper.length_figure import Bar
from psif.evaluation.paper.reasons import LEARNED, MULTI_LABEL, SEVERAL_LABELS, counted, footnotes
from psif.evaluation.paper.reproduction import Row
from psif.evaluation.paper.seed_table import SeedRow
from psif.evaluation.paper.verdicts import CLAIMS, Finding, answer, verdict_grid
from psif.evaluation.runner.results import Result


def score(task, method, protocol, value, metric="accuracy"):
    return Result(task, method, protocol, metric, value, 1.0)


@pytest.mark.parametrize(
    ("differences", "verdict", "text"),
    [
        ((), "", "–"),
        ((1.0, 2.0), "holds", "+1.5, above on 2 of 2"),
        ((1.0, 1.0, 1.0, 1.0, -1.0), "holds", "+0.6, above on 4 of 5"),
        ((5.0, -1.0), "in part", "+2.0, above on 1 of 2"),
        ((1.0, -1.0), "not", "+0.0, above on 1 of 2"),
        ((0.5, -2.0), "not", "-0.8, above on 1 of 2"),
    ],
)
def test_verdicts_by_hand(differences, verdict, text):
    found = Finding(differences)
    assert (found.verdict, str(found)) == (verdict, text)


def test_the_answer_counts_claims_that_the_paper_makes():
    grid = [
        ["claim", "published", "verdict"],
        ["a", "+1.0", "holds / not"],
        ["b", "+1.0", "in part / not"],
        ["c", "+1.0", "holds / –"],
        ["ours", "–", "holds / holds"],
    ]
    assert answer(grid) == (
        "Of 3 claims of the paper, with its settings 2 hold, 1 hold in part, 0 do not hold; "
        "with one setting for all tasks 0 hold, 0 hold in part, 2 do not hold."
    )


def test_claims_compare_the_published_form_of_each_protocol():
    results = [
        score("r8", "psif", "paper", 97.0),
        score("r8", "sif", "paper", 96.0),
        score("r8", "psif", "inductive", 99.0),  # our settings: not what the paper claims
        score("r8", "psif-plain", "inductive", 95.0),
        score("r8", "sif", "inductive", 96.0),
    ]
    seeds = [
        SeedRow("r8", "inductive", "psif-plain", "sif", -1.0, 0.1, -2.0, -0.5, 0.01, 5, 99, ""),
        SeedRow("twitter", "inductive", "psif-plain", "sif", 1.0, 0.1, -0.5, 2.0, 0.2, 5, 99, ""),
    ]
    header, first, *others = verdict_grid(results, seeds, [])
    assert len(others) == len(CLAIMS)
    assert first[2:] == [
        "+1.0, above on 1 of 1",
        "-1.0, above on 0 of 1",
        "above on 0, below on 1, open on 1",
        "holds / not",
    ]
    assert all(len(row) == len(header) for row in (first, *others))


def test_a_gain_that_grows_with_length():
    bars = [
        Bar("inductive", "20news", "psif-plain", 0, 50, 1.0, 1),
        Bar("inductive", "20news", "psif-plain", 400, None, 3.0, 1),
        Bar("inductive", "r8", "psif-plain", 0, 50, 1.0, 1),
    ]
    last = verdict_grid([], [], bars)[-1]
    assert last[2:] == ["–", "on 1 of 1 kinds of texts", "–", "– / holds"]


def row(method, published, paper, metric="accuracy"):
    ours = {"paper": score("20news", method, "paper", paper)}
    return Row("20news", method, metric, published, method, ours)


def test_differences_above_a_point_have_a_reason():
    rows = [row("lda", 72.2, 60.0), row("sif", 82.3, 82.0), row("tfidf", None, 85.0)]
    (note,) = footnotes(rows)
    assert note.startswith("lda: 1 of its numbers differ by more than a point (by up to -12.2): ")
    assert counted(rows) == (1, 2)
    # Of documents with few labels the printed P@5 cannot be the same count.
    several = [row("sif", 35.0, 24.0, "P@5"), row("sif", 90.4, 90.5, "P@1")]
    assert counted(several) == (1, 1)
    assert footnotes(several) == []


def test_a_table_whose_differences_have_one_cause_has_one_reason():
    learned = [row("sif", 86.3, 85.1, "supervised pearson"), row("sif", 82.2, 73.9)]
    assert footnotes(learned) == [LEARNED]
    labels = [row("sif", 90.4, 93.3, "P@1"), row("sif", 9.0, 2.5, "coverage_error")]
    assert footnotes(labels) == [SEVERAL_LABELS, MULTI_LABEL]
    # Coverage error alone is not compared.
    assert footnotes(labels[1:]) == [MULTI_LABEL]


def test_a_plot_has_a_dot_per_number():
    picture = dots_svg([row("lda", 72.2, 60.0), row("tfidf", None, 85.0)], "A & B")
    assert picture.count("<title>") == 3
    assert 'aria-label="A &amp; B"' in picture
    assert dots_svg([], "") == ""


def test_a_plot_of_several_tasks_has_means_over_those_with_all_numbers():
    rows = [row("lda", 72.0, 60.0), replace(row("lda", 62.0, 70.0), task="r8")]
    rows.append(replace(row("lda", None, 1.0), task="twitter"))
    picture = dots_svg(rows, "")
    assert "<title>lda (2), published: 67.0</title>" in picture
    assert "<title>lda (2), paper: 65.0</title>" in picture
