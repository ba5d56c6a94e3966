import numpy as np
import pytest

from psif import FormatError, Index, PsifError
from psif.search import lists
from psif.search.rows import Rows, pack_rows
from tests.search import collections

pytest.importorskip("faiss")
QUERIES = ["ship in a storm", "cooking soup n3", "pilot fog", "n7 anchors"]


@pytest.fixture(scope="module")
def model():
    return collections.model()


@pytest.fixture(scope="module")
def index(model):
    return Index.build(collections.texts(1_500), model=model, approximate=True)


def hits(index, **options):
    found = index.search_many(QUERIES, **options)
    return [[(hit.id, hit.score) for hit in one] for one in found]


def rows_of(index, part=0):
    return index._content.parts[part].segment.rows


def test_exact_search_is_that_of_an_index_without_lists(index, model):
    plain = Index.build(collections.texts(1_500), model=model)
    assert rows_of(plain).lists is None
    assert hits(index, exact=True) == hits(plain)
    assert hits(index, lexical=1) == hits(plain, lexical=1)


def test_few_documents_are_looked_at_and_few_hits_missed(index):
    near = rows_of(index).lists.near(np.ones(rows_of(index).n_dims))
    assert len(near) < 0.5 * len(index)
    exact, quick = hits(index, exact=True), hits(index)
    shared = [len(set(a) & set(b)) / len(a) for a, b in zip(exact, quick, strict=True)]
    assert np.mean(shared) >= 0.95


def test_scores_are_exact_and_filters_hold(index):
    for query in QUERIES:
        for hit in index.search(query, k=5):
            assert index.explain(query, hit.id).score == pytest.approx(hit.score, abs=1e-6)
    some = Index.build(
        collections.texts(60), metadata=[{"n": i} for i in range(60)], approximate=True,
        model=index.model,
    )  # fmt: skip
    assert {int(hit.id) for hit in some.search("ship", k=60, where="n >= 40")} <= set(range(40, 60))


def test_lists_survive_saving_and_merging(index, tmp_path):
    index.save(tmp_path / "i")
    loaded = Index.load(tmp_path / "i")
    assert hits(loaded) == hits(index)
    loaded.add(collections.texts(1_400, seed=1), ids=[f"new{i}" for i in range(1_400)])
    assert len(loaded._content.parts) == 1
    assert len(rows_of(loaded).lists.docs) == 2_900


def test_the_size_decides_by_itself(monkeypatch, model):
    monkeypatch.setattr(lists, "APPROXIMATE_FROM", 50)
    assert rows_of(Index.build(collections.texts(50), model=model)).lists is None
    assert rows_of(Index.build(collections.texts(51), model=model)).lists is not None
    exact = Index.build(collections.texts(51), model=model, approximate=False)
    assert rows_of(exact).lists is None


def test_without_faiss_the_extra_is_named(monkeypatch, model):
    monkeypatch.setattr(lists, "find_spec", lambda name: None)
    with pytest.raises(PsifError, match=r"psif\[faiss\]"):
        Index.build(collections.texts(20), model=model, approximate=True)
    monkeypatch.setattr(lists, "APPROXIMATE_FROM", 10)
    assert rows_of(Index.build(collections.texts(20), model=model)).lists is None


def test_lists_that_do_not_fit_are_refused():
    rng = np.random.default_rng(0)
    rows = Rows.of(*pack_rows(rng.standard_normal((40, 6)).astype(np.float32))).with_lists(True)
    rows.check()
    rows.lists.docs[0] = rows.lists.docs[1]
    with pytest.raises(FormatError, match="neighbours"):
        rows.check()
