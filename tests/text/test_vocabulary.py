import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif.errors import InputError
from psif.text import id_store, word_index
from psif.text import vocabulary as vocabulary_module
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import count_words
from tests.text import naive
from tests.text.strategies import documents, texts, tokenizer_options


@pytest.fixture(params=["compiled", "short"], autouse=True)
def way(request, monkeypatch):
    """Short inputs go another way than long ones; every test here takes both."""
    monkeypatch.setattr(vocabulary_module, "_SMALL", 0 if request.param == "compiled" else 1 << 16)


def as_lists(docs):
    return [document.tolist() for document in docs]


def test_by_hand():
    vocabulary, docs = count_words(["b a b", "", "A c"], Tokenizer())
    assert vocabulary.words == ["a", "b", "c"]
    assert vocabulary.counts.tolist() == [2, 2, 1]
    assert vocabulary.doc_counts.tolist() == [2, 1, 1]
    assert vocabulary.n_docs == 3
    assert as_lists(docs) == [[1, 0, 1], [], [0, 2]]
    assert docs.n_tokens.tolist() == [3, 0, 2]
    assert docs.ids.dtype == np.int32


@given(documents, tokenizer_options)
def test_counting_agrees_with_its_twin(corpus, options):
    tokenizer = Tokenizer(**options)
    vocabulary, docs = count_words(iter(corpus), tokenizer)
    words, counts, doc_counts, ids = naive.count(corpus, tokenizer)
    assert vocabulary.words == words
    assert vocabulary.counts.tolist() == counts
    assert vocabulary.doc_counts.tolist() == doc_counts
    assert as_lists(docs) == ids


@given(documents, documents, tokenizer_options, st.sampled_from([1, 3]))
def test_encoding_agrees_with_its_twin(corpus, others, options, n_jobs):
    tokenizer = Tokenizer(**options)
    # Counted with another tokeniser, so that unknown words, and known stop words, occur.
    vocabulary, _ = count_words(corpus, Tokenizer())
    docs = vocabulary.encode(iter(others + corpus), tokenizer, n_jobs=n_jobs)
    ids, n_tokens = naive.encode(others + corpus, tokenizer, vocabulary.words)
    assert as_lists(docs) == ids
    assert docs.n_tokens.tolist() == n_tokens


@given(documents, documents, tokenizer_options)
def test_a_prepared_vocabulary_reads_short_texts_alike(corpus, others, options):
    tokenizer = Tokenizer(**options)
    vocabulary, _ = count_words(corpus, tokenizer)
    before = vocabulary.encode(others, tokenizer)
    vocabulary.prepare(tokenizer)
    with pytest.MonkeyPatch.context() as patch:
        # From now on no text is short.
        patch.setattr(vocabulary_module, "encode_slowly", None)
        after = vocabulary.encode(others, tokenizer)
    assert as_lists(after) == as_lists(before)
    assert after.n_tokens.tolist() == before.n_tokens.tolist()


def test_a_function_has_nothing_to_prepare():
    tokenizer = Tokenizer(str.split)
    vocabulary, _ = count_words(["a b"], tokenizer)
    vocabulary.prepare(tokenizer)
    assert as_lists(vocabulary.encode(["b c"], tokenizer)) == [[1]]


@given(documents)
def test_regular_expressions_go_the_slow_way_to_the_same_place(corpus):
    pattern = r"[^\W_]+"
    vocabulary, docs = count_words(corpus, Tokenizer(pattern))
    words, counts, doc_counts, ids = naive.count(corpus, Tokenizer(pattern))
    assert vocabulary.words == words
    assert vocabulary.counts.tolist() == counts
    assert vocabulary.doc_counts.tolist() == doc_counts
    assert as_lists(docs) == ids
    assert as_lists(vocabulary.encode(corpus, Tokenizer(pattern))) == ids


def test_blocks_and_growth_do_not_show(monkeypatch):
    rng = np.random.default_rng(0)
    corpus = [" ".join(f"w{i}" for i in rng.integers(0, 20_000, 200)) for _ in range(300)]
    one, docs = count_words(corpus, Tokenizer())
    monkeypatch.setattr(word_index.text_blocks, "__defaults__", (500,))
    monkeypatch.setattr(id_store, "SPILL_IDS", 1000)
    other, spilled = count_words(corpus, Tokenizer())
    assert one.words == other.words
    assert (one.doc_counts == other.doc_counts).all()
    assert isinstance(spilled.ids, np.memmap)
    assert (docs.ids == spilled.ids).all()
    encoded = one.encode(corpus, Tokenizer(), n_jobs=2)
    assert (encoded.ids == docs.ids).all()
    assert (encoded.offsets == docs.offsets).all()


@pytest.mark.parametrize("length", [70_000, 5_000_000])
@pytest.mark.parametrize("kind", ["hex", "dna", "base64"])
def test_a_word_may_be_longer_than_the_table_that_it_enters(kind, length):
    data = np.random.default_rng(0).bytes(length)
    word = {
        "hex": data[: length // 2].hex(),
        "dna": data.translate(bytes(b"ACGT"[i % 4] for i in range(256))).decode(),
        "base64": base64.b64encode(data, altchars=b"xy").decode()[:length],
    }[kind]
    corpus = ["before", f"short {word} words", f"{word}a b", "after"]
    vocabulary, docs = count_words(corpus, Tokenizer())
    words = sorted([word.lower(), word.lower() + "a", "after", "b", "before", "short", "words"])
    assert vocabulary.words == words
    assert as_lists(docs) == [[words.index(w) for w in text.lower().split()] for text in corpus]
    assert as_lists(vocabulary.encode(corpus, Tokenizer())) == as_lists(docs)


def test_keep_drops_words_and_says_where_the_others_went():
    vocabulary, docs = count_words(["a a b b c", "b"], Tokenizer())
    kept, new_ids = vocabulary.keep(np.array([True, False, True]))
    assert vocabulary.words == ["b", "a", "c"]
    assert kept.words == ["b", "c"]
    assert new_ids.tolist() == [0, -1, 1]
    assert as_lists(docs.remap(new_ids)) == [[0, 0, 1], [0]]


@given(texts)
def test_one_text_alone(text):
    vocabulary, docs = count_words([text], Tokenizer())
    assert [vocabulary.words[i] for i in docs.ids] == Tokenizer()(text)


def test_a_document_that_is_no_text_is_named():
    with pytest.raises(InputError, match=r"document 1 is of type bytes.*decode"):
        count_words(["a", b"b"], Tokenizer())
    vocabulary, _ = count_words(["a"], Tokenizer())
    with pytest.raises(InputError, match="document 0 is missing"):
        vocabulary.encode([float("nan")], Tokenizer())
