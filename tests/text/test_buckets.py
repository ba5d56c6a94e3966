import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.text.buckets import N_BUCKETS, bucket_names, bucket_of, buckets_of
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary
from psif.text.word_index import WordIndex
from tests.text.strategies import texts


def vocabulary(words, n_buckets):
    zeros = np.zeros(len(words) + n_buckets, dtype=np.int64)
    return Vocabulary(words + bucket_names(n_buckets), zeros, zeros, 0, n_buckets)


def test_known_values_of_the_hash():
    # FNV-1a of "" and "a" are published: cbf29ce484222325 and af63dc4c8601ec8c.
    for word, value in (("", 0xCBF29CE484222325), ("a", 0xAF63DC4C8601EC8C)):
        assert bucket_of(word, 1000) == (value ^ value >> 32) % 1000


def test_by_hand():
    known = vocabulary(["cat", "dog"], 5)
    docs = known.encode(["cat zbo dog zbo"], Tokenizer())
    bucket = 2 + bucket_of("zbo", 5)
    assert [doc.tolist() for doc in docs] == [[0, bucket, 1, bucket]]
    assert docs.n_tokens.tolist() == [4]
    assert known.coverage(docs) == 0.5
    assert known.n_known == 2


@settings(deadline=None)
@given(texts, st.sampled_from([1, 7, N_BUCKETS]))
def test_the_compiled_scan_finds_the_buckets_that_python_finds(text, n_buckets):
    tokenizer = Tokenizer()
    known = vocabulary(["a", "b"], n_buckets)
    ids = next(iter(WordIndex(tokenizer, known.words, n_buckets).encode([text]))).tolist()
    expected = [
        known.words.index(word) if word in ("a", "b") else 2 + bucket_of(word, n_buckets)
        for word in tokenizer(text)
    ]
    assert ids == expected
    assert [doc.tolist() for doc in known.encode([text], tokenizer)] == [expected]


def test_words_spread_over_the_buckets():
    found = buckets_of([f"word{i}" for i in range(4000)], 16)
    assert np.bincount(found, minlength=16).min() > 150
