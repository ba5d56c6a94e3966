import gzip

import numpy as np
import pytest

from psif.documents.weights import (
    idf_weights,
    read_counts,
    sif_weights,
    word_probabilities,
    word_weights,
)
from psif.errors import FormatError, InputError

CORPUS = np.array([0.5, 0.25])


def test_sif_by_hand():
    np.testing.assert_allclose(sif_weights(np.array([0, 0.001, 0.009]), 1e-3), [1, 0.5, 0.1])


@pytest.mark.parametrize("a", [0, -1e-3, np.nan, np.inf])
def test_sif_needs_a_positive_a(a):
    with pytest.raises(InputError, match="a must be a positive number"):
        sif_weights(np.array([0.1]), a)


def test_idf_is_that_of_scikit_learn():
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = ["apple pear", "apple plum", "apple"]
    reference = TfidfVectorizer().fit(texts)
    words = reference.get_feature_names_out()
    doc_counts = np.array([sum(word in text for text in texts) for word in words])
    np.testing.assert_allclose(idf_weights(doc_counts, 3), reference.idf_)


def test_weightings_by_name():
    probs, df = np.array([0.001, 0.009]), np.array([1, 3])
    sif, idf = np.array([0.5, 0.1]), np.log([4 / 2, 4 / 4]) + 1
    expected = {
        "sif": sif, "idf": idf, "root-idf": np.sqrt(idf), "sif-idf": sif * idf, "uniform": [1, 1],
    }  # fmt: skip
    for name, weights in expected.items():
        np.testing.assert_allclose(word_weights(name, 1e-3, probs, df, 3), weights, rtol=1e-6)
    with pytest.raises(InputError, match="sif, idf, root-idf, sif-idf, uniform; got 'tfidf'"):
        word_weights("tfidf", 1e-3, probs, df, 3)


def test_probabilities_from_the_corpus():
    assert word_probabilities(["a", "b"], "corpus", CORPUS) is CORPUS


def test_probabilities_from_counts_and_from_probabilities():
    from_counts = word_probabilities(["a", "b", "new"], {"a": 6, "b": 2}, CORPUS)
    np.testing.assert_allclose(from_counts, [0.75, 0.25, 0.25])  # unknown: the smallest known
    from_probs = word_probabilities(["a", "b"], {"a": 0.02, "b": 0.01}, CORPUS)
    np.testing.assert_allclose(from_probs, [0.02, 0.01])


@pytest.mark.parametrize("name", ["counts.txt", "counts.txt.gz"])
def test_probabilities_from_a_file(tmp_path, name):
    path = tmp_path / name
    opener = gzip.open if name.endswith("gz") else open
    with opener(path, "wt", encoding="utf-8") as file:
        file.write("the 60\nnew york\t30\n\nété 10\n")
    assert read_counts(path) == {"the": 60, "new york": 30, "été": 10}
    np.testing.assert_allclose(word_probabilities(["été", "the"], path, CORPUS), [0.1, 0.6])


def test_wordfreq_knows_that_the_is_common():
    pytest.importorskip("wordfreq")
    the, zyzzyva = word_probabilities(["the", "zqxjkvw"], "wordfreq", CORPUS)
    assert 0.04 < the < 0.07
    assert 0 < zyzzyva < 1e-6
    with pytest.raises(InputError, match="no list for language 'xx'"):
        word_probabilities(["the"], "wordfreq:xx", CORPUS)


def test_bad_counts(tmp_path):
    bad = tmp_path / "counts.txt"
    bad.write_text("the 60\noops\n", encoding="utf-8")
    with pytest.raises(FormatError, match="line 2: expected a word and a count, got 'oops"):
        read_counts(bad)
    bad.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="not a UTF-8 text file"):
        read_counts(bad)
    bad.write_text("", encoding="utf-8")
    with pytest.raises(FormatError, match="no word counts"):
        read_counts(bad)
    with pytest.raises(
        InputError, match="expected 'corpus', 'wordfreq', a mapping, or an existing"
    ):
        read_counts(tmp_path / "none.txt")
    for mapping in ({}, {"a": -1}, {"a": float("nan")}, {"a": 0}):
        with pytest.raises(InputError, match="non-negative, finite, not all zero"):
            word_probabilities(["a"], mapping, CORPUS)
