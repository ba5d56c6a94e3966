from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif.evaluation.metrics.ranking import (
    average_precision,
    ndcg,
    ranking_metrics,
    recall,
    reciprocal_rank,
)

JUDGED = {"a": 2, "b": 1, "c": 0, "d": 1}


def test_numbers_by_hand():
    ranking = ["c", "a", "x", "b"]
    # Gains 0, 2, 0, 1 at places 1 to 4; the best order is 2, 1, 1.
    best = 2 + 1 / log2(3) + 1 / 2
    assert ndcg(ranking, JUDGED) == pytest.approx((2 / log2(3) + 1 / log2(5)) / best)
    assert ndcg(ranking, JUDGED, k=2) == pytest.approx((2 / log2(3)) / (2 + 1 / log2(3)))
    squared = ndcg(ranking, JUDGED, gain=lambda grade: 2.0**grade - 1)
    assert squared == pytest.approx((3 / log2(3) + 1 / log2(5)) / (3 + 1 / log2(3) + 1 / 2))
    assert recall(ranking, JUDGED, k=3) == pytest.approx(1 / 3)
    assert average_precision(ranking, JUDGED) == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert reciprocal_rank(ranking, JUDGED) == 1 / 2
    assert reciprocal_rank(ranking, JUDGED, k=1) == 0


def test_queries_without_a_ranking_count_and_those_without_a_relevant_document_do_not():
    found = ranking_metrics({"p": ["a"]}, {"p": {"a": 1}, "q": {"a": 1}, "r": {"a": 0}})
    assert set(found.values()) == {50.0}


names = st.integers(0, 30).map(lambda number: f"d{number}")
runs = st.lists(names, unique=True, max_size=25)
grades = st.dictionaries(names, st.integers(0, 4), min_size=1, max_size=20)


@given(runs, grades)
def test_numbers_are_those_of_trec_eval(ranking, judged):
    import pytrec_eval

    if not ranking or not any(judged.values()):
        return
    measures = {"ndcg_cut.10", "recall.100", "map", "recip_rank"}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": judged}, measures)
    run = {name: float(len(ranking) - place) for place, name in enumerate(ranking)}
    theirs = evaluator.evaluate({"q": run})["q"]
    assert ndcg(ranking, judged) == pytest.approx(theirs["ndcg_cut_10"])
    assert recall(ranking, judged) == pytest.approx(theirs["recall_100"])
    assert average_precision(ranking, judged) == pytest.approx(theirs["map"])
    first = reciprocal_rank(ranking, judged, k=len(ranking))
    assert first == pytest.approx(theirs["recip_rank"])
    assert reciprocal_rank(ranking, judged) == (first if first >= 1 / 10 else 0)
