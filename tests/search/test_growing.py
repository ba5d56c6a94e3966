"""An index that grew and shrank is the index of what it holds."""

import itertools
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import Index, InputError, PsifWarning
from psif.search import merging
from psif.search.building import collect, make_records, make_segment
from psif.search.segment import Part
from tests.search import collections

TEXTS = [*collections.texts(40, seed=3, n_words=9), "", "n1 n1 n2 ship"]
QUERIES = ["ship in a storm", "n1", "the soup", "pilot n2 cloud", "harbours"]


@pytest.fixture(scope="module")
def model():
    return collections.model()


def answers(index):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PsifWarning)  # words that nobody has
        found = index.search_many(QUERIES, k=15)
        pure = index.search_many(QUERIES, k=15, lexical=1)
    return [[(hit.id, hit.score) for hit in hits] for hits in found + pure]


def same(grown, built):
    for a, b in zip(answers(grown), answers(built), strict=True):
        assert [key for key, _ in a] == [key for key, _ in b]
        assert [score for _, score in a] == pytest.approx([score for _, score in b], rel=1e-9)


steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(st.integers(0, len(TEXTS) - 1), min_size=1, max_size=9)),
        st.tuples(st.just("delete"), st.lists(st.integers(0, 60), min_size=1, max_size=6)),
        st.tuples(st.just("replace"), st.tuples(st.integers(0, 60), st.integers(0, 41))),
        st.tuples(st.just("merge"), st.none()),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=25)
@given(steps)
def test_scores_are_those_of_an_index_built_at_once(model, changes):
    index = Index.build(TEXTS[:5], ids=range(5), metadata=[{"n": i} for i in range(5)], model=model)
    held = {str(i): TEXTS[i] for i in range(5)}
    counter = 100
    for kind, what in changes:
        if kind == "add":
            new = {str(counter + i): TEXTS[t] for i, t in enumerate(what)}
            counter += len(what)
            index.add(new.values(), new.keys(), [{"n": int(key)} for key in new])
            held |= new
        elif kind == "delete":
            gone = sorted({list(held)[i % len(held)] for i in what}) if held else []
            index.delete(gone)
            held = {key: text for key, text in held.items() if key not in gone}
        elif kind == "replace" and held:
            key = list(held)[what[0] % len(held)]
            index.add([TEXTS[what[1]]], [key], replace=True)
            del held[key]
            held[key] = TEXTS[what[1]]
        elif kind == "merge" and index._content.parts:
            live = [part for part in index._content.parts if part.n_live]
            parts = (Part(merging.merge(live)),) if live else ()
            index._change(replace(index._content, parts=parts))
    assert index.ids() == list(held)
    assert len(index) == len(held)
    if not held:
        return
    same(index, at_once(held, index))
    for key in list(held)[:3]:
        assert index.document(key).text == held[key]


def at_once(held, index):
    """The documents in one segment; language and directions are those of the beginning."""
    collected = collect(make_records(held.values(), held.keys(), None, 0))
    segment = make_segment(collected, index.language, index._content.space)
    return Index(replace(index._content, parts=(Part(segment),)))


def test_segments_stay_few(model):
    index = Index.build(TEXTS[:2], model=model)
    for i in range(40):
        index.add([TEXTS[i]])
        sizes = [part.n_live for part in index._content.parts]
        assert all(a > 2 * b for a, b in itertools.pairwise(sizes))
    assert len(index) == 42
    assert len(index._content.parts) <= 6


def test_numbers_continue(model):
    index = Index.build(TEXTS[:3], model=model)
    index.add(TEXTS[3:5])
    assert index.ids() == ["0", "1", "2", "3", "4"]
    index.delete(["4"])
    index.add([TEXTS[5]])
    assert index.ids()[-1] == "5"  # a number is never used twice
    index.add([TEXTS[6]], ids=[17])
    index.add([TEXTS[7]])
    assert index.ids()[-2:] == ["17", "18"]


def test_same_ids_are_refused_or_replaced(model):
    index = Index.build(TEXTS[:3], model=model)
    with pytest.raises(InputError, match=r"already has a document with the id '1'.*replace=True"):
        index.add(["a ship", "a plane"], ids=["7", "1"])
    assert len(index) == 3
    with pytest.raises(InputError, match="the id '7' is given twice"):
        index.add(["a ship", "a plane"], ids=["7", "7"])
    index.add(["quite another text about cheese"], ids=["1"], replace=True)
    assert len(index) == 3
    assert index.document("1").text == "quite another text about cheese"


def test_many_same_ids_are_found(model):
    texts = ["ship"] * 1_500
    index = Index.build(texts, model=model)
    with pytest.raises(InputError, match=r"the id '0' \(and 1499 more of the new ids\)"):
        index.add(texts, ids=range(1_500))
    index.add(texts, ids=range(1_500), replace=True)
    assert len(index) == 1_500


def test_deleting_unknown_documents(model):
    index = Index.build(TEXTS[:3], model=model)
    with pytest.raises(InputError, match="no document has the id '9'; nothing was deleted"):
        index.delete(["0", "9"])
    assert len(index) == 3
    with pytest.raises(InputError, match="expected a list of ids"):
        index.delete("0")


def test_everything_can_be_deleted_and_added_again(model):
    index = Index.build(TEXTS[:3], model=model)
    index.delete(["0", "1", "2"])
    assert len(index) == 0
    assert index.model is model
    index.add(TEXTS[:3])
    assert index.ids() == ["3", "4", "5"]
    assert index.search("ship in a storm")


def test_fields_may_differ_between_additions(model):
    index = Index.build(["a ship", "a ship"], metadata=[{"year": 1}, None], model=model)
    index.add(["a ship", "the ship"], metadata=[{"lang": "en"}, {"year": "new"}])
    found = {hit.id for hit in index.search("ship", where="year == 1 or lang == 'en'")}
    assert found == {"0", "2"}
    assert index.info().fields == ["year", "lang"]


def test_unknown_words_advise_a_refit(model):
    index = Index.build(collections.texts(30), model=model)
    assert index.info().unknown < 0.1
    assert not index.info().refit_advised
    rng = np.random.default_rng(0)
    new = [
        " ".join(rng.choice(["quark", "boson", "lepton", "gluon", "hadron"], 12)) for _ in range(30)
    ]
    index.add(new)
    assert index.info().unknown > 0.3
    assert index.info().refit_advised
    assert index.search("quark")[0].dense == 0
    index.refit()
    assert index.info().unknown < 0.1
    assert index.search("quark")[0].dense > 0
    assert len(index) == 60
    assert len(index.ids()) == 60


def test_refit_with_a_given_model(model):
    index = Index.build(TEXTS, model=model)
    other = collections.model(n_topics=2)
    index.refit(other)
    assert index.model is other
    same(index, Index.build(TEXTS, model=other))
