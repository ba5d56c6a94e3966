import numpy as np
import pytest
from benchmarks.corpora import generated, labelled_corpus, of_length, write_generated


@pytest.fixture(scope="module")
def docstrings():
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PSIF_DATA", raising=False)
        yield labelled_corpus(60)


def test_without_data_it_is_the_standard_library(docstrings):
    assert docstrings.name.startswith("docstrings of the standard library by module, every")
    train, test = docstrings.data.train, docstrings.data.test
    assert len(train) > len(test) > 20
    assert len(set(train.labels)) > 5
    assert not set(train.texts) & set(test.texts)


def test_all_documents_in_one_fixed_order(docstrings):
    both = docstrings.data.train.texts + docstrings.data.test.texts
    assert sorted(docstrings.texts) == sorted(both)
    assert docstrings.texts == docstrings.texts
    assert docstrings.texts != both


def test_documents_of_a_length():
    texts = of_length(["a b c", "d e"], 4, 3)
    assert texts == ["a b c d", "e a b c", "d e a b"]


def test_generated_documents(tmp_path):
    texts = list(generated(1200, n_words=7, vocabulary=90))
    assert len(texts) == 1200
    assert {len(text.split()) for text in texts} == {7}
    assert texts[:5] == list(generated(1200, n_words=7, vocabulary=90))[:5]
    counts = np.unique(" ".join(texts).split(), return_counts=True)[1]
    assert counts.max() > 5 * np.median(counts)  # Zipf's law
    write_generated(tmp_path / "texts.txt", 1200, 7, 90)
    assert (tmp_path / "texts.txt").read_text().splitlines() == texts
