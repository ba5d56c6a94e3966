"""Turn a sentence encoder into a table of word vectors."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from psif.errors import InputError, PsifWarning
from psif.runtime.blas import inner_product, single_threaded_blas, tall_product
from psif.runtime.norms import unit_rows
from psif.text.checks import check_texts
from psif.text.flat import FlatDocs
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary
from psif.types import FloatMatrix
from psif.vectors.encoding import SentenceEncoder
from psif.vectors.progress import Progress, Steps
from psif.vectors.sentence_cache import encode_sentences
from psif.vectors.sentence_training import (
    TrainingOptions,
    fill_rare_words,
    map_words,
    raise_norms,
    train_words,
)
from psif.vectors.table import WordVectors

# The constant a of the weights a / (a + p(w)) that training starts from.
_SIF_CONSTANT = 3e-3
# With a smaller share of known words the sentences are hardly in the language of the words.
_LEAST_KNOWN = 0.5


def distill(
    folder: str | Path,
    words: Iterable[str],
    *,
    dim: int | None = 300,
    sentences: Iterable[str] | None = None,
    cache: str | Path | None = None,
    random_state: int = 0,
    progress: Progress | None = None,
) -> WordVectors:
    """Make a table of word vectors from a sentence-transformer on disk.

    Without sentences, each word is encoded alone and ``dim`` principal components are kept. With
    sentences, the words are then trained so that the sum of the words of a sentence points where
    the encoder's vector of the sentence points. The lengths of trained vectors say how much each
    word matters: use them as they are, with the preset "sentences" of
    :class:`psif.PSIF`.

    Nothing is downloaded and torch is not needed. The encoder runs in ONNX Runtime, which
    ``pip install 'psif[distill]'`` brings; the finished table needs none of it.

    Parameters
    ----------
    folder : str or Path
        A sentence-transformers folder of a BERT model: ``config.json``, ``model.safetensors``,
        ``tokenizer.json`` and, if it is there, ``1_Pooling/config.json``.
    words : iterable of str
        Each is kept once, in this order; the most frequent first is the custom.
    dim : int or None
        Principal components to keep; ``None`` keeps the encoder's own numbers, uncentred, and is
        for words alone.
    sentences : iterable of str, optional
        General sentences of the language, the more the better; 40,000 are a start.
    cache : str or Path, optional
        A folder for the encoder's vectors of the sentences. A run that was stopped continues from
        there.
    random_state : int
        Order of the sentences in training.
    progress : callable or None
        Called as ``progress(done, total)``, in words and sentences that are encoded.
    """
    place = Path(folder).expanduser()
    kept = [word for word in dict.fromkeys(words) if word]
    if not kept:
        raise InputError("no words to distill; give a vocabulary, for example of your corpus.")
    if dim is not None and dim < 1:
        raise InputError(f"dim must be 1 or more, or None; got {dim}.")
    texts = None if sentences is None else _read_sentences(sentences, dim)
    encoder = SentenceEncoder(place)
    steps = Steps(progress, len(kept) + len(texts or ()))
    if texts is None or dim is None:
        matrix = encoder.encode(kept, advance=steps.advance)
        return WordVectors(kept, matrix if dim is None else principal_components(matrix, dim))
    docs = _known_words(kept, texts)
    alone = encoder.encode(kept, advance=steps.advance)
    done = steps.done
    vectors = encode_sentences(
        encoder, texts, cache, progress=lambda now, _: steps.advance(done + now - steps.done)
    )
    return WordVectors(kept, train_table(alone, docs, vectors, dim, random_state=random_state))


def train_table(
    alone: FloatMatrix,
    sentences: FlatDocs,
    vectors: FloatMatrix,
    dim: int,
    options: TrainingOptions | None = None,
    *,
    random_state: int = 0,
) -> FloatMatrix:
    """Train a table from the encoder's vectors of words alone and of sentences.

    Parameters
    ----------
    alone : ndarray of shape (n_words, n_encoder)
    sentences : FlatDocs
        Ids of words.
    vectors : ndarray of shape (n_sentences, n_encoder)
        Unit vectors of the sentences.
    dim : int
        Principal components of the sentences to keep.
    """
    options = TrainingOptions() if options is None else options
    targets = unit_rows(principal_components(vectors, dim))
    counts = np.bincount(sentences.ids, minlength=len(alone)).astype(np.float64)
    weights = _SIF_CONSTANT / (_SIF_CONSTANT + counts / max(1.0, counts.sum()))
    weighted = _centred(unit_rows(alone)) * weights[:, None].astype(np.float32)
    start = map_words(weighted, sentences, targets, options.ridge)
    trained = train_words(start, sentences, targets, options, random_state=random_state)
    mixed = fill_rare_words(start, trained, counts, options.prior)
    return raise_norms(mixed, options.norm_power)


def principal_components(matrix: FloatMatrix, dim: int) -> FloatMatrix:
    """Centre, and rotate to the ``dim`` directions of greatest variance (all, if fewer)."""
    centred = _centred(matrix)
    with single_threaded_blas():
        _, directions = np.linalg.eigh(inner_product(centred, centred, n_jobs=None))
        leading = directions[:, ::-1][:, :dim]
        signs = np.sign(leading[np.abs(leading).argmax(axis=0), np.arange(leading.shape[1])])
        return tall_product(centred, (leading * signs).astype(np.float32), n_jobs=None)


def _centred(matrix: FloatMatrix) -> FloatMatrix:
    result: FloatMatrix = matrix - matrix.mean(axis=0, dtype=np.float64).astype(np.float32)
    return result


def _read_sentences(sentences: Iterable[str], dim: int | None) -> list[str]:
    if dim is None:
        raise InputError("words are trained on sentences with a number of dimensions; give dim.")
    texts = [text for text in check_texts(sentences) if text.strip()]
    if not texts:
        raise InputError("there are no sentences to train on; give one sentence per line.")
    return texts


def _known_words(words: list[str], sentences: list[str]) -> FlatDocs:
    """Return the sentences as rows of the table, and look whether the two fit."""
    zeros = np.zeros(len(words), dtype=np.int64)
    docs = Vocabulary(words, zeros, zeros, 0).encode(sentences, Tokenizer())
    if not len(docs.ids):
        raise InputError(
            f"no word of the sentences is among the {len(words)} words to distill (words: "
            f"{words[:5]}, first sentence: {sentences[0][:60]!r}). Are they in one language?"
        )
    if docs.coverage < _LEAST_KNOWN:
        warnings.warn(
            f"only {docs.coverage:.0%} of the words in the sentences are among the {len(words)} "
            "words to distill. Use sentences and words of the encoder's language.",
            PsifWarning,
            stacklevel=3,
        )
    return docs
