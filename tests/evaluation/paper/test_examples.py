import numpy as np
import pytest

from psif.evaluation.paper.examples import (
    example_grid,
    examples,
    worked_sentences,
)
from psif.evaluation.paper.published import table
from psif.evaluation.runner.results import Result
from psif.evaluation.scoring.examples import score_examples
from psif.evaluation.tasks.base import PairData, Pairs


class Letters:
    """Counts of a and e, so that cosines can be computed by hand."""

    def transform(self, texts):
        return np.array([[text.count("a"), text.count("e")] for text in texts], dtype=float)


def test_printed_errors_are_those_of_the_printed_scores():
    for row in table("examples").values():
        truth, sif, psif = (float(row[name]) for name in ("truth", "SIF", "P-SIF"))
        errors = abs(sif - truth), abs(psif - truth)
        assert errors == pytest.approx(
            (float(row["SIF error"]), float(row["P-SIF error"])), abs=2e-4
        )
        assert (errors[1] < errors[0]) == (row["closer"] == "P-SIF")
        assert abs(errors[0] - errors[1]) == pytest.approx(float(row["difference"]), abs=2e-4)


def test_the_worked_pair():
    assert worked_sentences() == ("A man is riding a motorcycle .", "A woman is riding a horse .")


def test_cosines_and_the_mean_error():
    shown = {example.number: (example.left, example.right) for example in examples()}
    part = Pairs(["a", "ae"], ["e", "ae"], [0.0, 2.5])
    scores = score_examples(Letters(), PairData({"MSRvid": part}, examples=shown))
    # Cosines 0 and 1 against 0 and 0.5.
    assert scores[""]["mean error"] == pytest.approx(0.25)
    assert len(scores) == 1 + len(examples())
    # "A man is riding a motorcycle ." has 2 a and 1 e, "A woman is riding a horse ." 2 and 1.
    assert scores["16"]["cosine"] == pytest.approx(1.0)


def test_a_grid_by_hand():
    results = [
        Result("examples/16", "sif", "inductive", "cosine", 0.65, 1.0),
        Result("examples/16", "psif", "inductive", "cosine", 0.25, 1.0),
        Result("examples/2", "sif", "inductive", "cosine", 0.3, 1.0),
        Result("examples/2", "psif", "inductive", "cosine", 0.7, 1.0),
    ]
    header, *rows = example_grid(results, ["paper", "inductive"], "P-SIF")
    (worked,) = (row for row in rows if row[0] == worked_sentences()[0])
    assert len(header) == len(worked)
    # Truth 0.15: errors 0.4155 and 0.007 in print, 0.5 and 0.1 here.
    assert worked[2:7] == ["0.15", "0.57", "0.16", "+0.408", "+0.98"]
    assert worked[7:] == ["", "", "", "", "0.65", "0.25", "+0.400", "+0.80"]
    rhino = example_grid(results, ["inductive"], "SIF")[2]
    # Truth 0.8: here P-SIF is closer, against the paper.
    assert rhino[7:] == ["0.30", "0.70", "-0.400", "-0.80"]
