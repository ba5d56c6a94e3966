from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.errors import InputError
from psif.text.pairs import join_words
from psif.text.phrases import find_phrases
from psif.text.spans import word_spans
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import count_words

TEXTS = ["i love new york", "new york is big", "new ideas in york", "a new york minute", "x y z"]


def found(texts, **options):
    return find_phrases(*reversed(count_words(texts, Tokenizer())), **options)


def test_by_hand():
    # n(new york) = 3, n(new) = n(york) = 4, N = 19: (3 - 1) * 19 / 16 = 2.375.
    phrases, vocabulary, docs = found(TEXTS, min_count=1, threshold=2.3)
    assert phrases[("new", "york")] == "new_york"
    assert vocabulary.words[0] == "new_york"
    assert vocabulary.counts[0] == vocabulary.doc_counts[0] == 3
    assert vocabulary.counts[vocabulary.index["new"]] == 1
    assert [vocabulary.words[i] for i in next(iter(docs))] == ["i", "love", "new_york"]
    assert not len(found(TEXTS, min_count=1, threshold=2.4)[0])
    assert not len(found(TEXTS, min_count=4, threshold=0.1)[0])


def test_pairs_do_not_reach_over_documents():
    phrases, _, _ = found(["a b", "c d", "a b", "c d"], min_count=1, threshold=0.1)
    assert set(phrases) == {("a", "b"), ("c", "d")}


@settings(max_examples=80, deadline=None)
@given(docs=st.lists(st.lists(st.sampled_from("abc"), max_size=12), max_size=5))
def test_ids_agree_with_joining_words(docs):
    texts = [" ".join(doc) for doc in docs]
    phrases, vocabulary, flat = found(texts, min_count=1, threshold=0.5)
    expected = [join_words(doc, phrases) for doc in docs]
    assert [[vocabulary.words[i] for i in doc] for doc in flat] == expected
    counts = {w: sum(doc.count(w) for doc in expected) for w in vocabulary.words}
    assert vocabulary.counts.tolist() == list(counts.values())
    assert vocabulary.doc_counts.tolist() == [
        sum(w in doc for doc in expected) for w in vocabulary.words
    ]
    np.testing.assert_array_equal(flat.n_tokens, [len(doc) for doc in expected])


def test_longer_phrases_come_from_a_second_round():
    first, vocabulary, docs = found(["a b c"] * 5, min_count=1, threshold=0.5)
    assert join_words(["a", "b", "c"], first) == ["a_b", "c"]
    second, _, _ = find_phrases(docs, vocabulary, min_count=1, threshold=0.5)
    assert join_words(["a_b", "c"], second) == ["a_b_c"]


def test_an_empty_corpus_has_no_phrases():
    phrases, vocabulary, docs = found([])
    assert len(phrases) == len(vocabulary) == len(docs) == 0


def test_wrong_settings_are_named():
    with pytest.raises(InputError, match="got 0, 20"):
        found(TEXTS, min_count=0)


def test_a_tokenizer_joins_what_was_found():
    tokenizer = Tokenizer().with_phrases([("new", "york")]).with_phrases([("new_york", "city")])
    assert tokenizer("New York City, new york; new") == ["new_york_city", "new_york", "new"]
    assert Tokenizer.from_dict(tokenizer.to_dict()) == tokenizer
    assert tokenizer != Tokenizer()
    text = "Of New York City."
    spans = [(text[s.start : s.end], s.word) for s in word_spans(text, tokenizer)]
    assert spans == [("Of", "of"), ("New York City", "new_york_city")]


def test_a_phrase_is_a_pair():
    with pytest.raises(InputError, match=r"pair of words.*got 'new york'"):
        Tokenizer(phrases=[["new york"]])


@settings(max_examples=40, deadline=None)
@given(docs=st.lists(st.lists(st.sampled_from("abc"), max_size=12), max_size=5))
def test_counted_documents_are_what_the_tokenizer_gives(docs):
    texts = [" ".join(doc) for doc in docs]
    tokenizer = Tokenizer()
    vocabulary, ids = count_words(texts, tokenizer)
    for _ in range(2):
        pairs, vocabulary, ids = find_phrases(ids, vocabulary, min_count=1, threshold=0.5)
        tokenizer = tokenizer.with_phrases(pairs)
    assert [[vocabulary.words[i] for i in doc] for doc in ids] == [*map(tokenizer, texts)]
