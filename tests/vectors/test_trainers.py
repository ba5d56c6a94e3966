from __future__ import annotations

import numpy as np
import pytest

from psif.errors import InputError
from psif.text.flat import FlatDocs
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import count_words
from psif.vectors.trainers import TRAINERS, train_on_ids

TEXTS = ["the cat sat on the mat", "the dog sat on the log", "a cat and a dog", "mat and log"] * 5


@pytest.mark.parametrize("method", sorted(TRAINERS))
def test_every_trainer_gives_one_finite_float32_row_a_word(method):
    vocabulary, docs = count_words(TEXTS, Tokenizer())
    vectors = train_on_ids(method, docs, vocabulary, dim=3, random_state=0, n_jobs=1)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(vocabulary), 3)
    assert np.isfinite(vectors).all()


@pytest.mark.parametrize("method", sorted(TRAINERS))
def test_every_trainer_repeats_itself_with_one_thread(method):
    vocabulary, docs = count_words(TEXTS, Tokenizer())
    first, again = (
        train_on_ids(method, docs, vocabulary, dim=3, random_state=5, n_jobs=1) for _ in range(2)
    )
    np.testing.assert_array_equal(first, again)


def test_a_misspelt_method_gets_a_suggestion():
    vocabulary, docs = count_words(TEXTS, Tokenizer())
    with pytest.raises(InputError, match="Did you mean 'ppmi'"):
        train_on_ids("pmi", docs, vocabulary, dim=3)


def test_a_misspelt_option_gets_a_suggestion():
    vocabulary, docs = count_words(TEXTS, Tokenizer())
    with pytest.raises(InputError, match=r"no option 'widow'\. Did you mean 'window'"):
        train_on_ids("ppmi", docs, vocabulary, dim=3, widow=2)


def test_ids_outside_the_vocabulary_are_refused():
    vocabulary, _ = count_words(TEXTS, Tokenizer())
    with pytest.raises(InputError, match="ids from 0 to 99"):
        train_on_ids("ppmi", FlatDocs.from_lists([[0, 99]]), vocabulary, dim=3)


def test_an_empty_vocabulary_is_refused():
    vocabulary, docs = count_words([], Tokenizer())
    with pytest.raises(InputError, match="no words to train on"):
        train_on_ids("ppmi", docs, vocabulary, dim=3)


def test_a_dimension_below_one_is_refused():
    vocabulary, docs = count_words(TEXTS, Tokenizer())
    with pytest.raises(InputError, match="dim must be 1 or more"):
        train_on_ids("ppmi", docs, vocabulary, dim=0)
