"""Random corpora and settings against the slow twins of the tests.

A vector must be that of the plain loops over the model's own words, explanations must add up to
the similarity, and a saved model must give the same bytes.
"""

from __future__ import annotations

import random
import tempfile
import warnings
from pathlib import Path

import numpy as np

from psif import PSIF, PsifError, PsifWarning
from psif.model.presets import PLAIN

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
        if not np.allclose(vectors, slow, rtol=1e-3, atol=1e-5 * max(1.0, np.abs(slow).max())):
            return f"vectors are not those of the loops, by {np.abs(vectors - slow).max()}"
    a, b = chance.choice(texts), chance.choice(texts)
    left = _left_by_removal(model, [a, b])
    if left < 1e-3:  # mostly rounding is left, and has no direction
        return None
    # Topics and removed components are numbers of single precision, 1 / left² times the score.
    allowed = 1e-4 + 1e-7 / left**2
    explained = model.explain(a, b).to_dict()
    parts = sum(topic["share"] for topic in explained["topics"]) + explained["removed"]
    if abs(parts - explained["score"]) > 1e-4:
        return f"an explanation of {explained['score']} adds up to {parts}"
    if abs(explained["score"] - model.similarity(a, b)) > allowed:
        return "the explained score is not the similarity"
    with tempfile.TemporaryDirectory() as name:
        model.save(Path(name) / "m")
        again = PSIF.load(Path(name) / "m").transform(texts)
    if not np.array_equal(np.asarray(again), vectors):
        return "a saved model gives other vectors"
    return None


def _left_by_removal(model, texts):
    """Return the least share of a text's length that the removed components leave."""
    docs = model.word_ids(texts)
    before = np.linalg.norm(model.words_.average(docs, model.components_[:0]), axis=1)
    after = np.linalg.norm(model.words_.average(docs, model.components_), axis=1)
    return float(np.min(after / np.where(before > 0, before, 1), initial=1, where=before > 0))


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
        topics = matrix.ravel()
        for component in model.components_.astype(np.float64):
            topics = topics - component * (component @ topics)
        if own.any():
            own *= columns.ratio * np.linalg.norm(topics) / np.linalg.norm(own)
        row[:] = np.concatenate([topics, own])
        if getattr(model, "normalize", False) and row.any():
            row /= np.linalg.norm(row)
    return out
