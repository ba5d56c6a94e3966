"""The trainers by name, behind one signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from psif.errors import InputError
from psif.runtime.suggestions import nearest_name
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.types import FloatMatrix
from psif.vectors.doc2vecc import doc2vecc
from psif.vectors.ppmi import ppmi
from psif.vectors.progress import Progress
from psif.vectors.sgns import sgns

Trainer: TypeAlias = Callable[..., FloatMatrix]
"""``trainer(docs, vocabulary, dim=, random_state=, n_jobs=, progress=, **its own options)``."""

TRAINERS: Mapping[str, Trainer] = MappingProxyType(
    {"doc2vecc": doc2vecc, "ppmi": ppmi, "sgns": sgns}
)

_COMMON = {"docs", "vocabulary", "dim", "random_state", "n_jobs", "progress"}


def train_on_ids(
    method: str,
    docs: FlatDocs,
    vocabulary: Vocabulary,
    *,
    dim: int,
    random_state: int | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> FloatMatrix:
    """Train word vectors on documents that are already ids.

    Parameters
    ----------
    method : str
        A name in :data:`TRAINERS`.
    docs : FlatDocs
        Ids into ``vocabulary``.
    vocabulary : Vocabulary
        The words, as many as the result has rows.
    dim : int
        Numbers in a vector. ``"ppmi"`` gives fewer, with a warning, when the corpus is too small.
    random_state : int or None
        Same number, same vectors, for any number of threads.
    n_jobs : int or None
        Threads; None takes all cores.
    progress : callable or None
        Called as ``progress(done, total)``.
    **options
        The trainer's own settings, for example ``window``.

    Returns
    -------
    vectors : ndarray of float32, shape (n_words, dim)
    """
    trainer = _find(method)
    check_options(method, options)
    if dim < 1:
        raise InputError(f"dim must be 1 or more; got {dim}.")
    if not len(vocabulary):
        raise InputError(
            "no words to train on: the vocabulary is empty. Give more documents or lower min_count."
        )
    if len(docs.ids) and not 0 <= int(docs.ids.min()) <= int(docs.ids.max()) < len(vocabulary):
        raise InputError(
            f"the documents hold ids from {docs.ids.min()} to {docs.ids.max()} but the vocabulary "
            f"has {len(vocabulary)} words; encode them with this vocabulary."
        )
    # A memory-mapped corpus is a subclass that compiled code would be compiled for once more.
    docs = FlatDocs(
        np.ascontiguousarray(docs.ids, dtype=np.int32), np.asarray(docs.offsets), docs.n_tokens
    )
    vectors = trainer(
        docs, vocabulary, dim=dim, random_state=random_state, n_jobs=n_jobs, progress=progress,
        **options,
    )  # fmt: skip
    return np.asarray(vectors, dtype=np.float32)


def check_options(method: str, options: Mapping[str, Any]) -> None:
    """Refuse options that the trainer does not have, naming the nearest that it has."""
    known = sorted(set(inspect.signature(_find(method)).parameters) - _COMMON)
    for name in options:
        if name not in known:
            raise InputError(
                f"the trainer {method!r} has no option {name!r}.{_suggest(name, known)} "
                f"Its options: {', '.join(known)}."
            )


def _find(method: str) -> Trainer:
    if method in TRAINERS:
        return TRAINERS[method]
    raise InputError(
        f"no trainer is called {method!r}.{_suggest(str(method), list(TRAINERS))} "
        f"Trainers: {', '.join(sorted(TRAINERS))}."
    )


def _suggest(name: str, known: list[str]) -> str:
    near = nearest_name(name, known)
    return f" Did you mean {near!r}?" if near else ""
