import numpy as np
import pytest

from psif.errors import InputError
from psif.text.flat import FlatDocs
from psif.text.pruning import prune
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import count_words

TEXTS = ["a b c", "a b", "a b", "a d"]  # a: 4 in 4, b: 3 in 3, c and d: 1 in 1


def words_kept(**options):
    vocabulary, docs = prune(*count_words(TEXTS, Tokenizer()), **options)
    assert docs.ids.max() < len(vocabulary)
    return vocabulary.words, [ids.tolist() for ids in docs]


def test_by_hand():
    assert words_kept(min_count=2) == (["a", "b"], [[0, 1], [0, 1], [0, 1], [0]])
    assert words_kept(min_count=1, max_words=3)[0] == ["a", "b", "c"]
    assert words_kept(min_count=1, max_doc_share=0.75) == (["b", "c", "d"], [[0, 1], [0], [0], [2]])
    # The most frequent of those that are not too common.
    assert words_kept(min_count=1, max_words=2, max_doc_share=0.75)[0] == ["b", "c"]


def test_nothing_to_drop_is_no_copy():
    vocabulary, docs = count_words(TEXTS, Tokenizer())
    same_vocabulary, same_docs = prune(vocabulary, docs, min_count=1)
    assert same_vocabulary is vocabulary
    assert same_docs is docs


@pytest.mark.parametrize(("n_tokens", "least"), [(7_999, 1), (8_000, 2), (200_000, 5)])
def test_the_minimum_count_follows_the_size(n_tokens, least):
    vocabulary, docs = count_words(["u v v w w w x x x x y y y y y"], Tokenizer())
    docs = FlatDocs(docs.ids, docs.offsets, np.array([n_tokens]))
    assert prune(vocabulary, docs)[0].counts.min() == least


def test_errors():
    vocabulary, docs = count_words(TEXTS, Tokenizer())
    with pytest.raises(InputError, match=r"min_count=9 times .* 'a', occurs 4 times in 4 of 4"):
        prune(vocabulary, docs, min_count=9)
    for bad in ({"min_count": 0}, {"max_words": 0}, {"max_doc_share": 0}, {"max_doc_share": 1.5}):
        with pytest.raises(InputError, match=f"{next(iter(bad))} must be"):
            prune(vocabulary, docs, **bad)
    with pytest.raises(InputError, match="no words in the 1 documents"):
        prune(*count_words(["..."], Tokenizer()))
