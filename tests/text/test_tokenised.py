import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif.text.phrases import count_with_phrases
from psif.text.tokenised import TokenisedTexts
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary, count_words
from tests import corpora

WORDS = ["the", "cat", "Cat", "dog", "naïve", "漢", "a1", "x" * 70, "!"]
texts_of_words = st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), max_size=8)
TOKENIZERS = [Tokenizer("unicode"), Tokenizer("paper"), Tokenizer(r"\S+", lowercase=False)]


def same(found, expected):
    for one, other in zip(found, expected, strict=True):
        if isinstance(one, Vocabulary):
            assert one.words == other.words
            assert one.n_docs == other.n_docs
            one, other = (one.counts, one.doc_counts), (other.counts, other.doc_counts)
        else:
            one, other = ((docs.ids, docs.offsets, docs.n_tokens) for docs in (one, other))
        for array, wanted in zip(one, other, strict=True):
            np.testing.assert_array_equal(array, wanted)


@given(texts=texts_of_words, data=st.data(), tokenizer=st.sampled_from(TOKENIZERS))
def test_any_part_counts_and_encodes_as_a_plain_list(texts, data, tokenizer):
    whole = TokenisedTexts(texts)
    same(count_words(whole, tokenizer), count_words(texts, tokenizer))
    rows = data.draw(st.lists(st.integers(0, len(texts) - 1)) if texts else st.just([]))
    part, plain = whole.take(rows), [texts[row] for row in rows]
    assert list(part) == plain
    same(count_words(part, tokenizer), count_words(plain, tokenizer))
    known = Vocabulary(["cat", "the", "b0", "b1"], *np.ones((2, 4), np.int64), 1, n_buckets=2)
    without = Vocabulary(["cat", "the"], *np.ones((2, 2), np.int64), 1)
    for vocabulary in (known, without):
        found = vocabulary.encode(part + whole, tokenizer)
        same([found], [vocabulary.encode(plain + texts, tokenizer)])


def test_each_text_is_tokenised_once_per_tokenizer(monkeypatch):
    cut = []
    texts = corpora.texts(12)

    def words(text):
        cut.append(text)
        return text.split()

    tokenizer = Tokenizer(words)
    whole = TokenisedTexts(texts)
    train, test = whole[:8], whole[8:]
    vocabulary, _ = count_words(train, tokenizer)
    for part in (train, test, train + test):
        vocabulary.encode(part, tokenizer)
        count_words(part, tokenizer)
    assert cut == texts


def test_phrases_are_found_and_joined_as_in_a_plain_list():
    texts = ["new york"] * 30 + ["new plans", "york minster"] + corpora.texts(90)
    plain = count_with_phrases(texts, Tokenizer(), 1)
    found = count_with_phrases(TokenisedTexts(texts), Tokenizer(), 1)
    assert "new_york" in found[1].words
    assert found[0] == plain[0]
    same(found[1:], plain[1:])
    same([found[1].encode(TokenisedTexts(texts), found[0])], [plain[1].encode(texts, plain[0])])


def test_it_is_a_sequence_of_texts():
    whole = TokenisedTexts(["a", "b", "c"])
    assert whole[1] == "b"
    assert list(whole[1:] + whole[:1]) == ["b", "c", "a"]
    assert "c" in whole
    with pytest.raises(TypeError):
        operator.add(whole, ["d"])
    with pytest.raises(TypeError):
        operator.add(whole, TokenisedTexts(["d"]))


def test_what_is_not_a_text_is_refused_with_its_place():
    with pytest.raises(ValueError, match="document 1 is of type int"):
        count_words(TokenisedTexts(["a", 3]), Tokenizer())


def test_few_tokenizers_are_kept():
    whole = TokenisedTexts(["a b"])
    for i in range(9):
        count_words(whole, Tokenizer(min_length=i + 1))
    assert len(whole._words) == 4
