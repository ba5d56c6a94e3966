import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif import Index
from psif.compiled.ranking import HEAD, TOGETHER, best_rows, survey
from psif.search import selecting
from psif.search.rows import Moments, Rows, pack_rows
from tests.search import collections, naive

numbers = st.integers(-4, 4).map(float)  # few values, so that many are equal


@given(
    st.lists(st.tuples(numbers, st.booleans()), max_size=40),
    st.integers(1, 12),
    st.integers(0, 40),
    st.sampled_from([0.0, 0.5, 20.0]),
    st.integers(0, 99),
)
def test_best_are_those_of_looking_at_all(documents, k, n_dims, by_vector, seed):
    """Bounds leave out most documents, and never one that belongs to the best."""
    rng = np.random.default_rng(seed)
    lexical = np.array([row[0] for row in documents])
    allowed = np.array([row[1] for row in documents], dtype=bool)
    # Few values, so that many sums are equal; factors that are sums of powers of two keep them so.
    vectors = rng.integers(-2, 3, (len(documents), n_dims)).astype(np.int8)
    scales = rng.choice([0.0, 0.25, 1.0], len(documents)).astype(np.float32)
    query = rng.integers(-2, 3, n_dims).astype(np.float64)
    rows = Rows.of(vectors, scales)
    scores, docs = np.empty(k), np.empty(k, dtype=np.int64)
    everything = rows.part(0, len(documents))
    n = best_rows(lexical, 0.5, everything, query, by_vector, 0, allowed, -np.inf, scores, docs)
    expected = naive.best(lexical, 0.5, vectors * scales[:, None], query, by_vector, allowed, k)
    assert list(zip(docs[:n].tolist(), scores[:n].tolist(), strict=True)) == expected
    if n:
        # With a floor that is reached, the same ones.
        floor, again = scores[n - 1], docs[:n].tolist()
        n = best_rows(lexical, 0.5, everything, query, by_vector, 0, allowed, floor, scores, docs)
        assert docs[:n].tolist() == again


def test_heads_and_tails_bound_inner_products():
    rng = np.random.default_rng(0)
    rows = Rows.of(*pack_rows(rng.standard_normal((200, 50)).astype(np.float32)))
    query = rng.standard_normal(50)
    exact = rows.take(np.arange(200)) @ query
    heads = rows.heads.transpose(0, 2, 1).reshape(-1, HEAD)[:200]
    head = (heads * rows.scales[:, None]) @ query[:HEAD]
    bound = head + rows.tails * np.linalg.norm(query[HEAD:])
    assert (exact <= bound).all()
    assert (exact > bound - 2 * rows.tails * np.linalg.norm(query[HEAD:])).all()


def test_pieces_and_threads_do_not_change_hits(monkeypatch):
    index = Index.build(collections.texts(2_500), model=collections.model())
    queries = ["ship in a storm", "n3 soup", "pilot fog"]
    before = [[(h.id, h.score) for h in hits] for hits in index.search_many(queries, 7)]
    monkeypatch.setattr(selecting, "_PIECE", TOGETHER)
    for n_jobs in (1, 2, 8):
        after = index.search_many(queries, 7, n_jobs=n_jobs)
        assert [[(h.id, h.score) for h in hits] for hits in after] == before


@given(st.integers(0, 30), st.integers(1, 20), st.integers(0, 99))
def test_moments_give_the_deviation_of_all_inner_products(n_docs, n_dims, seed):
    rng = np.random.default_rng(seed)
    rows = Rows.of(*pack_rows(rng.standard_normal((n_docs, n_dims)).astype(np.float32)))
    query = rng.standard_normal(n_dims)
    scores = rows.take(np.arange(n_docs)) @ query
    expected = scores.std() if n_docs > 1 else max(0.0, scores.sum())
    assert rows.moments.deviation(query) == pytest.approx(expected, rel=1e-6, abs=1e-9)
    half = Moments.of(rows.vectors[: n_docs // 2], rows.scales[: n_docs // 2])
    rest = (rows.moments - half) + half
    assert rest.deviation(query) == pytest.approx(expected, rel=1e-6, abs=1e-9)


@given(st.lists(st.tuples(numbers, st.booleans()), max_size=30), st.integers(1, 6))
def test_a_survey_finds_the_deviation_and_the_largest_of_the_live(rows, k):
    values = np.array([row[0] for row in rows])
    live = np.array([row[1] for row in rows], dtype=bool)
    for mask in (live, np.zeros(0, dtype=bool)):
        counted = values[mask] if len(mask) else values
        scores, docs = np.empty(k), np.empty(k, dtype=np.int64)
        deviation, n = survey(values, mask, scores, docs)
        assert deviation == pytest.approx(counted.std() if len(counted) else 0.0, abs=1e-6)
        assert sorted(scores[:n], reverse=True) == sorted(counted[counted > 0], reverse=True)[:k]
        assert values[docs[:n]].tolist() == scores[:n].tolist()
        assert len(set(docs[:n].tolist())) == n


def test_equal_scores_do_not_deviate():
    room = np.empty(4), np.empty(4, dtype=np.int64)
    assert survey(np.full(1_000, 0.1), np.zeros(0, dtype=bool), *room)[0] == 0.0
