"""Word-vector trainers: time, memory, and the accuracy of P-SIF over their vectors.

Everything is fitted on training documents only (protocol inductive). Compiled loops are loaded
before the clock starts.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.corpora import every_text, reuters_r90
from benchmarks.jobs import Context
from benchmarks.resources import Meter
from psif.runtime.threads import resolve_jobs
from psif.types import FloatMatrix

if TYPE_CHECKING:
    from psif.evaluation.tasks.base import LabelledData
    from psif.vectors.table import WordVectors

_DIM = 200
_MODEL: dict[str, Any] = {"n_topics": 20, "weighting": "idf", "counts": "log", "random_state": 0}
# The settings of the paper for skip-gram, ours for the others.
TRAINERS: dict[str, dict[str, Any]] = {
    "ppmi": {"method": "ppmi", "min_count": 5},
    "sgns": {"method": "sgns", "min_count": 20, "epochs": 15},
    "sgns-5": {"method": "sgns", "min_count": 20, "epochs": 5},
    "doc2vecc": {"method": "doc2vecc", "min_count": 5, "epochs": 10},
    "gensim-sgns": {"method": "gensim", "min_count": 20, "epochs": 15},
    "gensim-sgns-5": {"method": "gensim", "min_count": 20, "epochs": 5},
    "gensim-fasttext-1": {"method": "gensim", "min_count": 20, "epochs": 1, "subwords": True},
}
QUICK = ("ppmi", "sgns", "doc2vecc", "gensim-sgns")
REUTERS = ("ppmi", "sgns", "doc2vecc")
# Trainers whose growth is measured, with one pass.
GROWING: dict[str, dict[str, Any]] = {"ppmi": {}, "sgns": {"epochs": 1}, "doc2vecc": {"epochs": 1}}


def score(context: Context, trainer: str) -> dict[str, Any]:
    """Train on the training texts of the corpus, embed with P-SIF and classify."""
    return _score(context.corpus().data, _settings(context, trainer))


def score_reuters(context: Context, trainer: str) -> dict[str, Any]:
    """Score as in :func:`score`, on Reuters-21578 with several labels per document."""
    return _score(reuters_r90(), _settings(context, trainer))


def whole(context: Context) -> dict[str, Any]:
    """Fit P-SIF on raw texts, word vectors included."""
    from psif import PSIF

    texts = context.corpus().data.train.texts
    PSIF(vectors="ppmi", **{**_MODEL, "n_topics": 2}).fit(texts[:50])
    with Meter() as meter:
        PSIF(vectors="ppmi", **_MODEL).fit(texts)
    return meter.to_dict()


def growth(context: Context, method: str, share: int) -> dict[str, Any]:
    """Train on one in ``share`` documents of the corpus."""
    data = context.corpus().data
    texts = [*data.train.texts, *data.test.texts][::share]
    return _train(texts, {"method": method, "min_count": 5, **GROWING[method]})[1]


def large_vocabulary(context: Context) -> dict[str, Any]:
    """Train on the texts of all evaluation sets, with every word, and counts in at most 1 GB."""
    texts = list(dict.fromkeys(every_text()))
    settings = {"method": "ppmi", "min_count": 1, "max_memory": 1e9}
    return {**_train(texts, settings)[1], "documents": len(texts)}


def _settings(context: Context, trainer: str) -> dict[str, Any]:
    settings = dict(TRAINERS[trainer])
    if context.size.name != "full":  # a part of the documents has no word twenty times
        settings["min_count"] = min(settings["min_count"], 5)
    if "epochs" in settings:
        settings["epochs"] = min(settings["epochs"], context.size.epochs)
    return settings


def _train(texts: Sequence[str], settings: dict[str, Any]) -> tuple[WordVectors, dict[str, Any]]:
    """Train word vectors; time and memory are those of training, not of tokenizing."""
    options = dict(settings)
    method, min_count = options.pop("method"), options.pop("min_count")
    train = _gensim if method == "gensim" else _ours
    vectors, facts = train(texts, method, min_count, options)
    return vectors, {**facts, "words": len(vectors), "settings": settings}


def _ours(
    texts: Sequence[str], method: str, min_count: int, options: dict[str, Any]
) -> tuple[WordVectors, dict[str, Any]]:
    from psif.text.tokenizer import Tokenizer
    from psif.text.vocabulary import count_words
    from psif.vectors.table import WordVectors
    from psif.vectors.trainers import train_on_ids

    vocabulary, docs = count_words(texts, Tokenizer())
    kept, new_ids = vocabulary.keep(vocabulary.counts >= min_count)
    flat = docs.remap(new_ids)
    shared: dict[str, Any] = {"random_state": 0, "n_jobs": resolve_jobs(None)}
    train_on_ids(method, flat.part(0, 20), kept, dim=8, **shared)
    with Meter() as meter:
        matrix = train_on_ids(method, flat, kept, dim=_DIM, **shared, **options)
    return WordVectors(kept.words, matrix), {**meter.to_dict(), "tokens": len(flat.ids)}


def _gensim(
    texts: Sequence[str], method: str, min_count: int, options: dict[str, Any]
) -> tuple[WordVectors, dict[str, Any]]:
    from benchmarks.peers.sgns_average import skip_gram
    from psif.text.tokenizer import Tokenizer
    from psif.vectors.table import WordVectors

    tokenize = Tokenizer()
    sentences = [tokenize(text) for text in texts]
    with Meter() as meter:
        keyed = skip_gram(sentences, min_count=min_count, **options)
    tokens = sum(int(keyed.get_vecattr(word, "count")) for word in keyed.index_to_key)
    return WordVectors.from_object(keyed), {**meter.to_dict(), "tokens": tokens}


def _score(data: LabelledData, settings: dict[str, Any]) -> dict[str, Any]:
    """Accuracy, or the precision at 1 where documents have several labels."""
    from psif import PSIF

    texts = data.train.texts
    vectors, facts = _train(texts, settings)
    started = time.perf_counter()
    model = PSIF(vectors=vectors, **_MODEL).fit(texts)
    fit_seconds = time.perf_counter() - started
    known, wanted = (
        [_as_tuple(found) for found in part.labels] for part in (data.train, data.test)
    )
    classes = sorted({label for found in known for label in found})
    place = {label: i for i, label in enumerate(classes)}
    targets = np.full((len(texts), len(classes)), -1, dtype=np.float32)
    for row, found in enumerate(known):
        targets[row, [place[label] for label in found]] = 1
    found_scores = ridge_scores(model.transform(texts), targets, model.transform(data.test.texts))
    best = found_scores.argmax(axis=1)
    hits = [classes[i] in found for i, found in zip(best, wanted, strict=True)]
    return {**facts, "psif_seconds": fit_seconds, "score": 100 * float(np.mean(hits))}


def _as_tuple(labels: Any) -> tuple[Any, ...]:
    return tuple(labels) if isinstance(labels, tuple | list) else (labels,)


def ridge_scores(train_x: FloatMatrix, targets: FloatMatrix, test_x: FloatMatrix) -> FloatMatrix:
    """Least squares with the penalty that does best on every fifth training document."""
    mean = train_x.mean(axis=0)
    train_x, test_x = train_x - mean, test_x - mean
    held = np.arange(len(train_x)) % 5 == 0
    gram_held = train_x[held].T @ train_x[held]
    gram = train_x[~held].T @ train_x[~held]
    eye = np.eye(len(gram), dtype=np.float32)

    def solve(gram: FloatMatrix, x: FloatMatrix, y: FloatMatrix, penalty: float) -> FloatMatrix:
        found: FloatMatrix = np.linalg.solve(gram + penalty * eye, x.T @ y)
        return found

    unit = float(np.trace(gram)) / len(train_x)
    tried = {}
    for penalty in (0.03, 0.1, 0.3, 1.0, 3.0):
        weights = solve(gram, train_x[~held], targets[~held], penalty * unit)
        best = (train_x[held] @ weights).argmax(axis=1)
        tried[penalty] = float((targets[held][np.arange(held.sum()), best] > 0).mean())
    chosen = max(tried, key=tried.__getitem__) * unit
    found: FloatMatrix = test_x @ solve(gram + gram_held, train_x, targets, chosen)
    return found
