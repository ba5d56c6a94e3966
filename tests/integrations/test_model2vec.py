"""Models in the format of model2vec: its runtime finds psif's cosines, and the rest is told."""

import json
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from model2vec import StaticModel
from tokenizers import Tokenizer as FastTokenizer

from psif import PSIF, Tokenizer
from psif.errors import FormatError, InputError
from psif.integrations.fast_tokenizer import tokenizer_file
from psif.integrations.model2vec import write_model2vec
from tests.cli.conftest import make_docs, run, write_jsonl  # noqa: F401
from tests.corpora import texts

pytestmark = pytest.mark.filterwarnings("ignore::psif.PsifWarning")
EXACT = {"counts": "raw", "word_columns": 0.0, "n_dims": 12}


def fitted(**options):
    docs = texts(n_docs=90)
    return PSIF(**{"n_topics": 3, "dim": 8, "min_count": 1, "random_state": 0, **options}).fit(docs)


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


@pytest.mark.parametrize(
    "options",
    [
        EXACT,
        {**EXACT, "n_removed": 2},
        {**EXACT, "n_dims": None},  # K·d numbers are few here
        {**EXACT, "normalize": False},
        {**EXACT, "weighting": "sif", "tokenizer": "paper"},
        {**EXACT, "tokenizer": "unicode"},
    ],
    ids=str,
)
def test_cosines_are_the_same(options, tmp_path):
    model = fitted(**options)
    assert write_model2vec(model, tmp_path / "out") == []
    asked = [
        *texts(n_docs=9, seed=5),
        "The Ship's SAIL; the ship",
        "an unknown harbour",
        "nothing here is known, café!",
        "",
        "ship oven " * 400,  # more than 512 words
    ]
    table = StaticModel.from_pretrained(tmp_path / "out")
    found, expected = table.encode(asked), model.transform(asked)
    assert np.allclose(unit(found), unit(expected), atol=1e-5)
    if model.normalize:
        assert np.allclose(found, expected, atol=1e-5)


def test_what_a_sum_cannot_do_is_told_and_small(tmp_path):
    cases = {
        "logarithm": {**EXACT, "counts": "log"},
        "one scale": {**EXACT, "word_columns": 0.3, "n_dims": 20},
        "outside the vocabulary": {**EXACT, "unknown": "hash"},
        "phrases": {**EXACT, "phrases": 1},
    }
    asked = texts(n_docs=30, seed=7)
    for word, options in cases.items():
        model = fitted(**options)
        (note,) = write_model2vec(model, tmp_path / "out")
        assert word in note
        assert note in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
        found = StaticModel.from_pretrained(tmp_path / "out").encode(asked)
        same = np.einsum("ij,ij->i", unit(found), model.transform(asked))
        assert same.mean() > 0.93, word


def test_a_repeated_word_counts_each_time(tmp_path):
    """By hand: psif takes 1 + ln 2 times a row that occurs twice, the result takes it twice."""
    model = fitted(**{**EXACT, "counts": "log"})
    write_model2vec(model, tmp_path / "out")
    table = StaticModel.from_pretrained(tmp_path / "out")
    ship, oven = table.encode(["ship", "oven"], normalize=False)
    assert np.allclose(table.encode(["ship oven ship"], normalize=False)[0], (2 * ship + oven) / 3)
    mixed = (1 + np.log(2)) * ship + oven
    expected = model.transform(["ship oven ship"])[0]
    assert np.allclose(mixed / np.linalg.norm(mixed), expected, atol=1e-6)


@pytest.mark.parametrize("preset", ["words", "unicode", "paper"])
@given(text=st.text(max_size=60))
@example(
    "John's can't. C++ v2.0.1's #12345 user@host.org's 🙂🇩🇪 漢字 カタかな co\u00adop ’s cafe\u0301"
)
@example("x'S y's's 'sz a's9 c#'s O'Reilly's rock'n'roll we'll've 3.14's")
@settings(max_examples=150, deadline=None)
def test_words_are_those_of_the_tokenizer(preset, text):
    # Python knows that Σ ends a word; the other library does not.
    text = re.sub("[Σ]", "", text)
    ours = Tokenizer(preset, stop_words=[])
    fast = fast_of(preset)
    pieces = fast.pre_tokenizer.pre_tokenize_str(fast.normalizer.normalize_str(text))
    kept = [piece for piece, _ in pieces if len(piece) >= ours.min_length]
    assert kept == ours(text)


_FAST = {}


def fast_of(preset):
    if preset not in _FAST:
        content = tokenizer_file(Tokenizer(preset, stop_words=[]), ["word"])
        _FAST[preset] = FastTokenizer.from_str(json.dumps(content))
    return _FAST[preset]


def test_sentence_transformers_reads_it_too(tmp_path):
    package = pytest.importorskip("sentence_transformers", reason="make test-integrations")
    model = fitted(**EXACT)
    write_model2vec(model, tmp_path / "out")
    asked = texts(n_docs=6, seed=5)
    found = package.SentenceTransformer(str(tmp_path / "out"), device="cpu").encode(asked)
    assert np.allclose(found, model.transform(asked), atol=1e-5)


def test_bad_input(tmp_path):
    wide = fitted(word_columns=0.3, n_dims=None)
    with pytest.raises(FormatError, match=r"numbers per document.*psif fit --dims"):
        write_model2vec(wide, tmp_path / "out")
    own = fitted(**EXACT, tokenizer=r"\w+")
    with pytest.raises(InputError, match=r"only the presets.*words, unicode, paper"):
        write_model2vec(own, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(FormatError, match="holds other files"):
        write_model2vec(fitted(**EXACT), tmp_path)
    with pytest.raises(FormatError, match="is a file"):
        write_model2vec(fitted(**EXACT), tmp_path / "config.json")
    assert [path.name for path in tmp_path.iterdir()] == ["config.json"]


def test_command(run, tmp_path):  # noqa: F811
    docs = write_jsonl(tmp_path / "docs.jsonl", make_docs(60))
    run("fit", docs, "-o", "m", "--dims", "8", "--set", "min_count=1", "--set", "n_topics=3")
    told = run("convert", "m", "--to", "model2vec", "-o", "out").stderr
    assert "logarithm of its count" in told
    # Over its own result, whole.
    run("convert", "m", "--to", "model2vec", "-o", "out")
    assert StaticModel.from_pretrained(tmp_path / "out").dim == 8
    assert "does not exist" in run("convert", "none", "--to", "model2vec", "-o", "x", code=1).stderr
    run("convert", "m", "--to", "onnx", "-o", "x", code=2)
