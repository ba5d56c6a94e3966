"""Random corpora and settings against the slow twins of the tests.

A vector must be that of the plain loops over the model's own words, explanations must add up to
the similarity, and a saved model must give the same bytes.
"""

from __future__ import annotations

import math
import random
import tempfile
import warnings
from pathlib import Path

import numpy as np

from psif import PSIF, PsifError, PsifWarning
from psif.explain.side import word_shares
from psif.model.presets import PLAIN

UNIT = 2.0**-24
LETTERS = "ab éß漢😀'-0"
CHOICES = {
    "partition": ["ksvd", "gmm", "kmeans", "auto"],
    "weighting": ["sif", "idf", "root-idf", "sif-idf", "uniform"],
    "counts": ["raw", "log"],
    "codes": ["signed", "nonnegative", "unit", "nonnegative-unit"],
    "word_norm": ["unit", "none", "center", "all-but-the-top", "zipf", "zipf-norms"],
    "unknown": ["skip", "hash"],
    "smoothing": ["none", "documents"],
    "shared_topic": [0.0, 0.5],
    "word_columns": [0.0, 0.4],
    "n_removed": [0, 1, 2],
    "n_topics": [1, 2, 3, 5],
    "n_dims": [None, None, 3],
    "dim": [2, 5],
}


def attack(count, seed=0):
    """Fit and compare; return how many corpora, and what went wrong."""
    failures, n_refused = [], 0
    for number in range(count):
        chance = random.Random(f"{seed}-{number}")
        texts, settings = _texts(chance), {k: chance.choice(v) for k, v in CHOICES.items()}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", PsifWarning)
                problem = _compare(texts, settings, chance)
        except PsifError:
            problem = None  # a clear refusal, such as too few words for so many numbers
            n_refused += 1
        except BaseException as error:
            problem = f"{type(error).__name__}: {error}"
        if problem:
            failures.append(f"corpus {number} of seed {seed}, {settings}: {problem}")
    if n_refused > count / 2:
        failures.append(f"{n_refused} of {count} corpora were refused: too little was compared")
    return count, failures


def _texts(chance):
    words = ["".join(chance.choices(LETTERS, k=chance.randint(1, 6))) for _ in range(30)]
    n_docs = chance.randint(1, 40)
    return [" ".join(chance.choices(words, k=chance.randint(0, 25))) for _ in range(n_docs)]


def _compare(texts, settings, chance):
    model = PSIF(
        min_count=1, random_state=0, n_jobs=chance.choice([1, 2]), **{**PLAIN, **settings}
    ).fit(texts)
    vectors = np.asarray(model.transform(texts), dtype=np.float64)
    if not np.isfinite(vectors).all():
        return "vectors are not finite"
    order = chance.sample(range(len(texts)), len(texts))
    if not np.array_equal(np.asarray(model.transform([texts[i] for i in order])), vectors[order]):
        return "a vector depends on the other documents"
    if settings["n_dims"] is None:
        slow = _slow_vectors(model, texts)
        for text, fast_row, slow_row in zip(texts, vectors, slow, strict=True):
            length = float(np.linalg.norm(slow_row))
            apart = float(np.linalg.norm(fast_row - slow_row))
            if apart > rounding(model, text) * length:
                return f"a vector of length {length} is not that of the loops, by {apart}"
    a, b = chance.choice(texts), chance.choice(texts)
    explained = model.explain(a, b).to_dict()
    parts = sum(topic["share"] for topic in explained["topics"]) + explained["removed"]
    if abs(parts - explained["score"]) > 1e-9:
        return f"an explanation of {explained['score']} adds up to {parts}"
    allowed = rounding(model, a) + rounding(model, b) + (model.n_features_out_ + 4) * UNIT
    apart = abs(explained["score"] - model.similarity(a, b))
    if apart > allowed and allowed < 1:  # otherwise rounding alone is left, and has no direction
        return f"the explained score is not the similarity, by {apart}; rounding allows {allowed}"
    with tempfile.TemporaryDirectory() as name:
        model.save(Path(name) / "m")
        again = PSIF.load(Path(name) / "m").transform(texts)
    if not np.array_equal(np.asarray(again), vectors):
        return "a saved model gives other vectors"
    return None


def rounding(model, text):
    r"""Return a bound of the error of a text's vector, relative to its length.

    The compiled loops compute in single precision, of unit roundoff u = 2^-24. A sum of n products,
    each rounded twice, errs by at most (n + 2) u times the sum of their absolute values, A; to
    remove a component errs by at most 4 u times the length before, which is at most \|A\|. So with
    r components and a vector x that is left,

    .. math:: \|\hat x - x\| / \|x\| \le 2 (n + 2 + 4 r) u \, \|A\| / \|x\|

    where the factor 2 has room for terms of second order, the scaling to unit length and the
    columns of words, which get their length from that of x.
    """
    words, ids = model.words_, model.word_ids([text]).ids
    if not len(ids):
        return 0.0
    distinct, shares = word_shares(words, ids)
    n_roundings = len(distinct) + 2 + 4 * len(model.components_)
    if model.table_ is None:
        codes, vectors = (m[distinct].astype(np.float64) for m in (words.codes, words.vectors))
        parts = [np.einsum("w,wk,wd->wkd", shares, codes, vectors).reshape(len(distinct), -1)]
    else:  # topics and columns of words are scaled apart; the components are no longer in the rows
        own = model.word_columns_.first if model.word_columns_ else model.table_.shape[1]
        rows = shares[:, None] * model.table_[distinct].astype(np.float64)
        parts = [rows[:, :own], rows[:, own:]]
    bound = 0.0
    for part in parts:
        most, left = np.linalg.norm(np.abs(part).sum(axis=0)), part.sum(axis=0)
        if model.table_ is None:
            left = _without(left, model.components_)
        if most:
            length = np.linalg.norm(left)
            bound = max(bound, 2 * n_roundings * UNIT * most / length if length else math.inf)
    return float(bound)


def _without(vector, components):
    for component in components.astype(np.float64):
        vector = vector - component * (component @ vector)
    return vector


def _slow_vectors(model, texts):
    """Algorithm 1 with plain loops, over the words that the model has learned."""
    words, columns = model.words_, model.word_columns_
    out = np.zeros((len(texts), model.n_features_out_))
    for row, ids in zip(out, model.word_ids(texts), strict=True):
        counts = {int(i): int((ids == i).sum()) for i in ids}
        terms = {i: 1 + np.log(n) if words.counts == "log" else n for i, n in counts.items()}
        total = sum(terms.values())
        matrix = np.zeros((words.n_topics, words.dim))
        own = np.zeros(columns.n_columns if columns else 0)
        for i, term in terms.items():
            share = term * float(words.weights[i]) / total
            matrix += share * np.outer(words.codes[i], words.vectors[i]).astype(np.float64)
            if columns and columns.columns[i] >= 0:
                own[columns.columns[i]] = share
        topics = _without(matrix.ravel(), model.components_)
        if own.any():
            own *= columns.ratio * np.linalg.norm(topics) / np.linalg.norm(own)
        row[:] = np.concatenate([topics, own])
        if getattr(model, "normalize", False) and row.any():
            row /= np.linalg.norm(row)
    return out
