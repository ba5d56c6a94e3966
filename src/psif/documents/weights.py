r"""Word weights λ_w: smooth inverse frequency and related weightings."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from psif.errors import FormatError, InputError, MissingExtraError
from psif.types import CountVector, DoubleVector, FloatVector

Frequencies: TypeAlias = str | Path | Mapping[str, float]
WEIGHTINGS = ("sif", "idf", "root-idf", "sif-idf", "uniform")


def sif_weights(word_probs: DoubleVector, a: float = 1e-3) -> DoubleVector:
    r"""Smooth inverse frequency weight of each word.

    .. math:: \lambda_w = a / (a + p(w))

    Parameters
    ----------
    word_probs : ndarray of shape (n_words,)
        Unigram probabilities :math:`p(w)`.
    a : float, default=1e-3
        Smoothing constant, > 0.

    Returns
    -------
    weights : ndarray of shape (n_words,)

    References
    ----------
    .. [1] Arora, Liang, Ma (2017), "A simple but tough-to-beat baseline for sentence
       embeddings"; Algorithm 1 of P-SIF.
    """
    if not a > 0 or not np.isfinite(a):
        raise InputError(f"a must be a positive number (the paper uses 1e-3); got {a!r}.")
    return a / (a + np.asarray(word_probs, dtype=np.float64))


def idf_weights(doc_counts: CountVector, n_docs: int) -> DoubleVector:
    r"""Smoothed inverse document frequency, as scikit-learn computes it.

    .. math:: \mathrm{idf}_w = \ln \frac{1 + N}{1 + \mathrm{df}_w} + 1
    """
    return np.log((1 + n_docs) / (1 + np.asarray(doc_counts, dtype=np.float64))) + 1


def word_weights(
    weighting: str,
    a: float,
    word_probs: DoubleVector,
    doc_counts: CountVector,
    n_docs: int,
) -> FloatVector:
    """Return weights by name: "sif", "idf", "root-idf", "sif-idf" (the product) or "uniform"."""
    if weighting not in WEIGHTINGS:
        raise InputError(f"weighting must be one of {', '.join(WEIGHTINGS)}; got {weighting!r}.")
    weights = np.ones(len(word_probs))
    if "sif" in weighting:
        weights = weights * sif_weights(word_probs, a)
    if "idf" in weighting:
        idf = idf_weights(doc_counts, n_docs)
        weights = weights * (np.sqrt(idf) if weighting == "root-idf" else idf)
    return weights.astype(np.float32)


def word_probabilities(
    words: Sequence[str], frequencies: Frequencies, corpus_probs: DoubleVector
) -> DoubleVector:
    """Return p(w) of words: from the corpus, from wordfreq, or from counts that the user gives.

    Parameters
    ----------
    words : sequence of str
    frequencies : "corpus", "wordfreq", "wordfreq:LANG", path or mapping
        A file has one word and its count per line (it may be gzip-compressed); a mapping gives
        counts or probabilities. Words that are missing get the smallest given probability.
    corpus_probs : ndarray of shape (n_words,)
        Shares in the corpus; a word that is not in it has p(w) = 0, hence SIF weight 1.
    """
    if isinstance(frequencies, str) and frequencies == "corpus":
        return corpus_probs
    if isinstance(frequencies, str) and frequencies.partition(":")[0] == "wordfreq":
        return _wordfreq(words, frequencies.partition(":")[2] or "en")
    if not isinstance(frequencies, Mapping):
        frequencies = read_counts(frequencies)
    return _from_mapping(words, frequencies)


def read_counts(path: str | Path) -> dict[str, float]:
    """Read a file with a word and its count on each line, separated by space or tab."""
    path = Path(path)
    if not path.exists():
        raise InputError(
            f"frequencies={str(path)!r}: expected 'corpus', 'wordfreq', a mapping, or an existing "
            "file with one word and its count per line."
        )
    opener = gzip.open if path.suffix == ".gz" else open
    counts: dict[str, float] = {}
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                word, _, count = line.rstrip().replace("\t", " ").rpartition(" ")
                try:
                    counts[word] = float(count)
                except ValueError:
                    raise FormatError(
                        f"{path}, line {number}: expected a word and a count, got {line[:60]!r}."
                    ) from None
    except (UnicodeDecodeError, gzip.BadGzipFile, EOFError) as error:
        raise FormatError(f"{path}: not a UTF-8 text file of word counts ({error}).") from error
    if not counts:
        raise FormatError(f"{path}: it contains no word counts.")
    return counts


def _from_mapping(words: Sequence[str], frequencies: Mapping[str, float]) -> DoubleVector:
    values = np.array(list(frequencies.values()), dtype=np.float64)
    if not len(values) or not np.isfinite(values).all() or (values < 0).any() or not values.any():
        raise InputError(
            "frequencies must be counts or probabilities: non-negative, finite, not all zero."
        )
    # Probabilities sum to at most 1; a larger sum can only come from counts.
    total = max(float(values.sum()), 1.0)
    floor = float(values[values > 0].min())
    return np.array([frequencies.get(word) or floor for word in words], dtype=np.float64) / total


def _wordfreq(words: Sequence[str], language: str) -> DoubleVector:
    try:
        from wordfreq import get_frequency_dict
    except ImportError as error:
        raise MissingExtraError("wordfreq", "frequencies", "frequencies='wordfreq'") from error
    try:
        table: dict[str, float] = get_frequency_dict(language)
    except LookupError as error:
        raise InputError(f"wordfreq has no list for language {language!r}: {error}.") from error
    return _from_mapping(words, table)
