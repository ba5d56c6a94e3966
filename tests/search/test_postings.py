import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif import FormatError
from psif.search.building import Record, collect
from psif.search.postings import Postings, bm25_part, idf
from psif.search.stemming import stem_words
from psif.text.flat import FlatDocs
from tests.search import naive

documents = st.lists(st.lists(st.integers(0, 5), max_size=12), min_size=1, max_size=12)


def postings_of(lists):
    """Every word of a collection occurs in it: number those that do."""
    used = sorted({word for doc in lists for word in doc})
    docs = [[used.index(word) for word in doc] for doc in lists]
    return Postings.build(FlatDocs.from_lists(docs), [f"w{word}" for word in used])


@given(documents)
def test_postings_say_which_documents_have_a_word_and_how_often(lists):
    found = postings_of(lists)
    found.check()
    for word in range(6):
        expected = {i: doc.count(word) for i, doc in enumerate(lists) if word in doc}
        term = found.find(f"w{word}")
        if not expected:
            assert term == -1
            continue
        docs, counts = found.unpack(term)
        assert dict(zip(docs.tolist(), counts.tolist(), strict=True)) == expected
        assert all(found.count(term, i) == doc.count(word) for i, doc in enumerate(lists))


def test_large_gaps_and_counts_survive_their_bytes():
    lists = [[0] * 300] + [[1]] * 5_000 + [[0, 0, 1]]
    found = postings_of(lists)
    docs, counts = found.unpack(found.find("w0"))
    assert docs.tolist() == [0, 5_001]
    assert counts.tolist() == [300, 2]


@given(documents, st.data())
def test_deleted_documents_do_not_count(lists, data):
    found = postings_of(lists)
    live = np.array(data.draw(st.lists(st.booleans(), min_size=len(lists), max_size=len(lists))))
    for word in range(6):
        term = found.find(f"w{word}")
        if term >= 0:
            expected = sum(word in doc and bool(on) for doc, on in zip(lists, live, strict=True))
            assert found.doc_freq(term, live) == expected


def test_bm25_by_hand():
    """Two documents: lengths 3 and 1, mean 2; the word is in the first twice."""
    found = postings_of([[0, 0, 1], [1]])
    scores = np.zeros(2)
    weight = idf(2, 1)
    assert weight == pytest.approx(np.log(1 + 1.5 / 1.5))
    found.add_scores(found.find("w0"), weight, 2.0, scores)
    assert scores.tolist() == pytest.approx([np.log(2) * 2 / (2 + 1.2 * (0.25 + 0.75 * 1.5)), 0.0])
    assert bm25_part(weight, 2, 3, 2.0) == pytest.approx(scores[0])


@given(st.lists(st.text("ab c", max_size=12), min_size=1, max_size=6), st.text("ab c", max_size=8))
def test_bm25_is_that_of_the_formula(texts, query):
    collected = collect(Record(str(i), text, {}) for i, text in enumerate(texts))
    found = Postings.build(collected.docs, stem_words(collected.words, "none"))
    mean = max(1.0, found.lengths.sum() / len(texts))
    scores = np.zeros(len(texts))
    for term in naive.terms_of(query, "none"):
        place = found.find(term)
        if place >= 0:
            weight = idf(len(texts), found.doc_freq(place, None))
            found.add_scores(place, weight, mean, scores)
    assert scores == pytest.approx(naive.bm25(texts, query, "none"))


@given(documents, st.data())
def test_damaged_bytes_are_told_or_harmless(lists, data):
    """Whatever the bytes: an error, or documents that exist."""
    found = postings_of(lists)
    if not len(found.stream):
        return
    place = data.draw(st.integers(0, len(found.stream) - 1))
    found.stream.flags.writeable or found.stream.setflags(write=True)
    found.stream[place] = data.draw(st.integers(0, 255))
    scores = np.zeros(len(lists))
    for term in range(len(found.terms)):
        for question in (
            lambda t=term: found.unpack(t),
            lambda t=term: found.doc_freq(t, np.ones(len(lists), dtype=bool)),
            lambda t=term: found.add_scores(t, 1.0, 1.0, scores),
        ):
            try:
                question()
            except FormatError as error:
                assert "damaged" in str(error)  # noqa: PT017
