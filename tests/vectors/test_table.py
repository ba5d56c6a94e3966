from __future__ import annotations

import numpy as np
import pytest

from psif import FormatError, InputError, WordVectors

WORDS = ["the", "cat", "a\u2028b", "c\rd"]
MATRIX = np.arange(8, dtype=np.float32).reshape(4, 2)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_saving_and_loading_gives_the_same_memory_mapped_table(tmp_path, dtype):
    WordVectors(WORDS, MATRIX.astype(dtype)).save(tmp_path / "own")
    again = WordVectors.load(tmp_path / "own")
    assert again.words == WORDS
    assert again.matrix.dtype == dtype
    assert isinstance(again.matrix, np.memmap)
    np.testing.assert_array_equal(again.matrix, MATRIX)
    assert again.vector("cat") is not None
    assert again.vector("dog") is None
    assert WordVectors.load(tmp_path / "own", top_n=1).words == ["the"]
    assert WordVectors.load(tmp_path / "own", only=["cat"]).words == ["cat"]


def test_an_unknown_folder_lists_what_it_holds(tmp_path):
    (tmp_path / "readme.md").touch()
    with pytest.raises(FormatError, match=r"holds no word vectors.*It holds: readme\.md"):
        WordVectors.load(tmp_path)


def test_select_without_subwords_leaves_unknown_words_out():
    table = WordVectors(WORDS, MATRIX)
    some = table.select(["cat", "dog"])
    assert some.words == ["cat"]
    np.testing.assert_array_equal(some.matrix, MATRIX[[1]])
    with pytest.raises(InputError, match="none of the 1 words"):
        table.select(["dog"])


def test_training_from_texts():
    texts = ["the cat sat on the mat", "the dog sat on the log"] * 5
    table = WordVectors.train(texts, dim=2, random_state=0)
    assert set(table.words) == {"the", "cat", "sat", "on", "mat", "dog", "log"}
    assert table.words[0] == "the"
    assert table.dim == 2


def test_training_on_a_corpus_with_a_word_of_five_million_bytes():
    word = np.random.default_rng(0).bytes(2_500_000).hex()
    table = WordVectors.train(["a b c", f"a {word} c", "b c a"], dim=2, min_count=1, random_state=0)
    assert table.words == ["a", "c", "b", word]


@pytest.mark.parametrize(
    ("texts", "options", "text"),
    [
        ("a string", {}, "single text"),
        (["a b c"], {}, "no word occurs min_count=5 times"),
        ([], {}, "there are no words in the 0 documents"),
        (["a", b"b"], {}, "document 1 is of type bytes"),
        (["a"], {"method": "glove"}, "no trainer is called 'glove'"),
        (["a"], {"widow": 3}, "Did you mean 'window'"),
    ],
)
def test_unusable_texts_and_settings_are_named(texts, options, text):
    with pytest.raises(InputError, match=text):
        WordVectors.train(texts, **options)
