from __future__ import annotations

import gzip
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import FormatError, WordVectors
from tests.vectors import writers

WORDS = ["</s>", "cat", "naïve", "a"]
BUCKET, MINN, MAXN = 50, 2, 4


def fnv1a(raw: bytes) -> int:
    """FastText's hash, in plain Python."""
    value = 2166136261
    for byte in raw:
        signed = byte - 256 if byte > 127 else byte
        value = ((value ^ (signed & 0xFFFFFFFF)) * 16777619) & 0xFFFFFFFF
    return value


def slow_ngrams(word: str, minn: int, maxn: int, bucket: int) -> list[int]:
    text = f"<{word}>"
    return [
        fnv1a(text[start : start + n].encode()) % bucket
        for start in range(len(text))
        for n in range(1, maxn + 1)
        if start + n <= len(text) and n >= minn
        and not (n == 1 and (start == 0 or start + n == len(text)))
    ]  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(word=st.text(max_size=12), minn=st.integers(1, 4), more=st.integers(0, 3))
def test_ngrams_agree_with_the_slow_twin(word, minn, more):
    from psif.compiled.subwords import ngram_rows

    raw = np.frombuffer(f"<{word}>".encode("utf-8", "ignore"), dtype=np.uint8)
    word = bytes(raw).decode()[1:-1]
    rows = ngram_rows(raw, minn, minn + more, 1000)
    assert sorted(rows.tolist()) == sorted(slow_ngrams(word, minn, minn + more, 1000))


@pytest.fixture
def table() -> np.ndarray:
    return np.random.default_rng(1).standard_normal((len(WORDS) + BUCKET, 5)).astype(np.float32)


@pytest.fixture(params=["model.bin", "model.bin.gz"])
def model(request, tmp_path: Path, table: np.ndarray) -> Path:
    content = writers.fasttext_bin(WORDS, table, bucket=BUCKET, minn=MINN, maxn=MAXN)
    path = tmp_path / request.param
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def expected_vector(table: np.ndarray, word: str) -> np.ndarray:
    rows = [len(WORDS) + i for i in slow_ngrams(word, MINN, MAXN, BUCKET)]
    if word in WORDS:
        rows.append(WORDS.index(word))
    return table[rows].mean(axis=0)


def test_fasttext_words_are_means_of_their_ngrams(model, table):
    vectors = WordVectors.load(model)
    assert vectors.words == WORDS
    for word in WORDS[1:]:
        np.testing.assert_allclose(vectors[word], expected_vector(table, word), rtol=1e-5)
    np.testing.assert_array_equal(vectors["</s>"], table[0])


def test_fasttext_builds_unknown_words(model, table):
    vectors = WordVectors.load(model, only=["cat"])
    assert vectors.words == ["cat"]
    assert "catnip" not in vectors
    np.testing.assert_allclose(
        vectors.vector("catnip"), expected_vector(table, "catnip"), rtol=1e-5
    )
    assert vectors.vector("") is None


def test_select_mixes_known_and_built_words(model, table):
    some = WordVectors.load(model).select(["catnip", "cat", "catnip"])
    assert some.words == ["catnip", "cat"]
    np.testing.assert_allclose(some["catnip"], expected_vector(table, "catnip"), rtol=1e-5)
    np.testing.assert_allclose(some["cat"], expected_vector(table, "cat"), rtol=1e-5)


def test_a_corpus_vocabulary_gets_rows_that_can_be_built(model, table):
    vectors = WordVectors.load(model)
    more = vectors.with_words(["cat", "catnip", ""])
    assert more.words == [*WORDS, "catnip"]
    np.testing.assert_allclose(more["catnip"], expected_vector(table, "catnip"), rtol=1e-5)
    assert more.with_words(["catnip"]) is more


def test_a_model_builds_vectors_for_corpus_words_outside_the_table(model):
    from psif import PSIF

    texts = ["cat catnip a", "catnip naïve", "cat a cat", "naïve a"]
    fitted = PSIF(vectors=WordVectors.load(model), n_topics=2, random_state=0).fit(texts)
    assert fitted.coverage_ == 1.0


def test_subwords_survive_saving(model, table, tmp_path):
    WordVectors.load(model).save(tmp_path / "own")
    again = WordVectors.load(tmp_path / "own")
    np.testing.assert_allclose(again.vector("catnip"), expected_vector(table, "catnip"), rtol=1e-5)


def test_damaged_and_quantised_models_are_refused(tmp_path, table):
    content = writers.fasttext_bin(WORDS, table, bucket=BUCKET, minn=MINN, maxn=MAXN)
    for end in (6, 30, 100, 150, len(content) - 1):
        (tmp_path / "m.bin").write_bytes(content[:end])
        with pytest.raises(FormatError, match="cut short"):
            WordVectors.load(tmp_path / "m.bin")
    quantised = writers.fasttext_bin(WORDS, table, bucket=BUCKET, minn=2, maxn=4, quantised=True)
    (tmp_path / "m.bin").write_bytes(quantised)
    with pytest.raises(FormatError, match="quantised"):
        WordVectors.load(tmp_path / "m.bin")


def test_a_model_without_ngrams_has_no_subwords(tmp_path, table):
    content = writers.fasttext_bin(WORDS, table[:4], bucket=0, minn=0, maxn=0)
    (tmp_path / "m.bin").write_bytes(content)
    vectors = WordVectors.load(tmp_path / "m.bin")
    np.testing.assert_array_equal(vectors.matrix, table[:4])
    assert vectors.vector("catnip") is None


def test_gensim_reads_the_same_vectors_from_the_same_file(tmp_path):
    gensim = pytest.importorskip("gensim.models.fasttext")
    texts = [["cat", "sat", "naïve"], ["cat", "mat"]] * 5
    trained = gensim.FastText(texts, vector_size=6, min_count=1, bucket=100, epochs=1, seed=1)
    gensim.save_facebook_model(trained, str(tmp_path / "g.bin"))
    vectors = WordVectors.load(tmp_path / "g.bin")
    for word in ["cat", "naïve", "catamaran", "ölig"]:
        np.testing.assert_allclose(vectors.vector(word), trained.wv[word], rtol=1e-4, atol=1e-6)


TOKENS = ["[PAD]", "[UNK]", "cat", "dog", "##nip", "##s", "c"]


@pytest.mark.parametrize("layout", ["model2vec", "sentence-transformers", "wordllama"])
def test_static_tables_build_words_from_tokens(tmp_path, layout):
    rows = np.arange(14, dtype=np.float32).reshape(7, 2)
    if layout == "wordllama":
        (tmp_path / "weights").mkdir()
        (tmp_path / "tokenizers").mkdir()
        writers.safetensors(tmp_path / "weights" / "l2_256.safetensors", embedding__weight=rows)
        tokenizer = tmp_path / "tokenizers" / "l2_tokenizer_config.json"
    else:
        place = tmp_path / "0_StaticEmbedding" if layout == "sentence-transformers" else tmp_path
        place.mkdir(exist_ok=True)
        tensors = {"embeddings" if layout == "model2vec" else "embedding__weight": rows}
        writers.safetensors(place / "model.safetensors", **tensors)
        tokenizer = place / "tokenizer.json"
    tokenizer.write_text(writers.wordpiece_json(TOKENS))
    vectors = WordVectors.load(tmp_path)
    assert vectors.words == ["cat", "dog", "c"]
    np.testing.assert_array_equal(vectors["dog"], rows[3])
    np.testing.assert_array_equal(vectors.vector("catnip"), (rows[2] + rows[4]) / 2)
    assert vectors.vector("zebra") is None
    vectors.save(tmp_path / "own")
    again = WordVectors.load(tmp_path / "own")
    np.testing.assert_array_equal(again.vector("catnip"), (rows[2] + rows[4]) / 2)


def test_model2vec_mapping_and_weights_are_applied(tmp_path):
    rows = np.array([[1, 0], [0, 1]], dtype=np.float32)
    mapping = np.array([0, 0, 1, 0, 1, 1, 0], dtype=np.int64)
    weights = np.arange(7, dtype=np.float32)
    writers.safetensors(
        tmp_path / "model.safetensors", embeddings=rows, mapping=mapping, weights=weights
    )
    (tmp_path / "tokenizer.json").write_text(writers.wordpiece_json(TOKENS))
    vectors = WordVectors.load(tmp_path)
    np.testing.assert_array_equal(vectors["cat"], [0, 2])
    np.testing.assert_array_equal(vectors["dog"], [3, 0])


def test_half_precision_and_word_starts(tmp_path):
    import json

    rows = np.eye(4, dtype=np.float16)
    writers.safetensors(tmp_path / "model.safetensors", embedding__weight=rows)
    vocabulary = {"<unk>": 0, "▁the": 1, "▁cat": 2, "nip": 3}
    (tmp_path / "tokenizer.json").write_text(
        json.dumps(
            {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": None,
             "post_processor": None, "decoder": None, "truncation": None, "padding": None,
             "model": {"type": "BPE", "vocab": vocabulary, "merges": [], "unk_token": "<unk>"}}
        )
    )  # fmt: skip
    vectors = WordVectors.load(tmp_path)
    assert vectors.words == ["the", "cat"]
    assert vectors.matrix.dtype == np.float16


def test_without_tokenizers_only_whole_words_are_known(tmp_path, monkeypatch):
    writers.safetensors(tmp_path / "model.safetensors", embeddings=np.ones((7, 2), np.float32))
    (tmp_path / "tokenizer.json").write_text(writers.wordpiece_json(TOKENS))
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.warns(UserWarning, match=r"psif\[static\]"):
        vectors = WordVectors.load(tmp_path)
    assert vectors.vector("catnip") is None


def test_damaged_static_tables_are_refused(tmp_path):
    (tmp_path / "tokenizer.json").write_text(writers.wordpiece_json(TOKENS))
    path = tmp_path / "model.safetensors"
    writers.safetensors(path, embeddings=np.ones((7, 2), np.float32))
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    with pytest.raises(FormatError, match="cut short or damaged: the tensor 'embeddings'"):
        WordVectors.load(tmp_path)
    path.write_bytes(b"no header")
    with pytest.raises(FormatError, match="no safetensors file"):
        WordVectors.load(tmp_path)
    writers.safetensors(path, embeddings=np.ones((3, 2), np.float32))
    with pytest.raises(FormatError, match="do not belong together"):
        WordVectors.load(tmp_path)
    path.write_bytes(whole)
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(FormatError, match=r"no tokenizer\.json"):
        WordVectors.load(tmp_path)
