"""Methods that read a saved model."""

import sys
from types import ModuleType

import numpy as np
import pytest

from psif import InputError, MissingExtraError
from psif.baselines import make_method
from psif.model.estimator import NotFittedError
from tests.baselines.corpus import NEW, TEXTS, WORDS, word_vectors


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A real model2vec folder over the words of the tiny corpus."""
    model2vec = pytest.importorskip("model2vec")
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    ids = {"[UNK]": 0, **{word: i + 1 for i, word in enumerate(WORDS)}}
    tokenizer = Tokenizer(WordLevel(ids, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    rows = np.vstack([np.zeros(6, dtype=np.float32), word_vectors().matrix])
    path = tmp_path_factory.mktemp("static") / "model"
    model2vec.StaticModel(rows, tokenizer, config={"normalize": False}).save_pretrained(path)
    return path


def test_model2vec_averages_its_tokens(folder):
    method = make_method("model2vec", path=folder).fit(TEXTS)
    for row, text in zip(method.transform(NEW), NEW, strict=True):
        expected = np.mean([word_vectors()[word] for word in text.split()], axis=0)
        np.testing.assert_allclose(row, expected, atol=1e-5)
    np.testing.assert_array_equal(method.fit_transform(NEW), method.transform(NEW))


def test_model2vec_reads_documents_to_their_end(folder):
    method = make_method("model2vec", path=folder).fit(TEXTS)
    row = method.transform(["cats " * 600 + "dogs " * 600])[0]
    expected = (word_vectors()["cats"] + word_vectors()["dogs"]) / 2
    np.testing.assert_allclose(row, expected, atol=1e-4)


def test_no_words_and_no_documents(folder):
    method = make_method("model2vec", path=folder).fit(TEXTS)
    assert not method.transform([""]).any()
    assert method.transform([]).shape == (0, 6)
    with pytest.raises(InputError, match="document 1 is of type int"):
        method.transform(["cats", 3])


@pytest.mark.parametrize("name", ["model2vec", "sentence-transformer"])
def test_a_folder_is_needed(name):
    with pytest.raises(InputError, match="folder of a saved model; got None"):
        make_method(name).fit(TEXTS)
    with pytest.raises(InputError, match="Nothing is downloaded"):
        make_method(name, path="no/such/folder").fit(TEXTS)
    with pytest.raises(NotFittedError, match="not fitted"):
        make_method(name, path=".").transform(TEXTS)


@pytest.mark.parametrize(
    ("name", "module"),
    [("model2vec", "model2vec"), ("sentence-transformer", "sentence_transformers")],
)
def test_without_the_package_the_extra_is_named(name, module, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"psif\["):
        make_method(name, path=tmp_path).fit(TEXTS)


class FakeTransformer:
    """The part of sentence-transformers that is called: lengths of texts as vectors."""

    def __init__(self, folder, device, local_files_only):
        assert local_files_only

    def encode(self, texts, batch_size, show_progress_bar, convert_to_numpy):
        assert batch_size == 7
        return np.array([[len(text), 1.0] for text in texts])


def test_a_sentence_transformer_is_called_on_the_texts(monkeypatch, tmp_path):
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = FakeTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    method = make_method("sentence-transformer", path=tmp_path, batch_size=7)
    rows = method.fit_transform(["cats", "dogs purr"])
    assert rows.tolist() == [[4.0, 1.0], [9.0, 1.0]]
    assert rows.dtype == np.float32
