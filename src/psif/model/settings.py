"""The settings of a model, and the refusal of wrong ones before any work is done."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from psif.documents.averaging import COUNTS
from psif.documents.projection import DTYPES, METHODS
from psif.documents.weights import WEIGHTINGS, Frequencies
from psif.errors import InputError
from psif.partitions.selection import PARTITIONS
from psif.partitions.shaping import SHAPES
from psif.runtime.threads import resolve_jobs
from psif.text.tokenizer import Tokenizer
from psif.vectors.preparation import PREPARATIONS

_CHOICES: dict[str, tuple[str, ...]] = {
    "partition": PARTITIONS,
    "weighting": WEIGHTINGS,
    "counts": COUNTS,
    "compact": METHODS,
    "dtype": DTYPES,
    "word_norm": PREPARATIONS,
    "codes": SHAPES,
    "covariance": ("tied", "diag", "full"),
    "init": ("svd", "data"),
    "vocabulary": ("all", "corpus"),
    "unknown": ("skip", "hash"),
    "contexts": ("words", "documents"),
}
# Smallest whole number allowed, and what else is.
_WHOLE: dict[str, tuple[int, Any]] = {
    "n_topics": (1, "auto"),
    "n_active": (1, None),
    "n_removed": (0, 0),
    "n_dims": (1, None),
    "dim": (1, 1),
    "max_iter": (0, 0),
    "phrases": (0, 0),
    "n_own_words": (1, 1),
}
# Numbers from 0 to below 1.
_SHARES = {
    "shared": "the part that all topics have in common",
    "own_words": "the part of a document that columns of single words make up",
}


class Settings:
    """What a model is told before it learns; :class:`psif.PSIF` says what each setting means.

    Stored as given: they are checked when a fit begins.
    """

    def __init__(
        self,
        vectors: Any = "ppmi",
        *,
        n_topics: int | str = 40,
        n_active: int | None = None,
        partition: str = "ksvd",
        weighting: str = "sif",
        a: float = 1e-3,
        frequencies: Frequencies = "corpus",
        counts: str = "raw",
        n_removed: int = 1,
        n_dims: int | None = None,
        compact: str = "pca",
        whiten: bool = False,
        dtype: str = "float32",
        sparse: bool = False,
        word_norm: str = "unit",
        codes: str = "signed",
        shared: float = 0.0,
        own_words: float = 0.0,
        n_own_words: int = 8192,
        covariance: str = "tied",
        init: str = "svd",
        max_iter: int = 10,
        tol: float = 1e-3,
        tokenizer: str | Tokenizer | Callable[[str], Iterable[str]] = "unicode",
        phrases: int = 0,
        min_count: int | None = None,
        max_words: int | None = None,
        max_doc_share: float = 1.0,
        vocabulary: str = "all",
        unknown: str = "skip",
        contexts: str = "words",
        dim: int = 200,
        train_options: Mapping[str, Any] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.vectors = vectors
        self.n_topics = n_topics
        self.n_active = n_active
        self.partition = partition
        self.weighting = weighting
        self.a = a
        self.frequencies = frequencies
        self.counts = counts
        self.n_removed = n_removed
        self.n_dims = n_dims
        self.compact = compact
        self.whiten = whiten
        self.dtype = dtype
        self.sparse = sparse
        self.word_norm = word_norm
        self.codes = codes
        self.shared = shared
        self.own_words = own_words
        self.n_own_words = n_own_words
        self.covariance = covariance
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.tokenizer = tokenizer
        self.phrases = phrases
        self.min_count = min_count
        self.max_words = max_words
        self.max_doc_share = max_doc_share
        self.vocabulary = vocabulary
        self.unknown = unknown
        self.contexts = contexts
        self.dim = dim
        self.train_options = train_options
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting by name, in alphabetical order."""
        # Of the class's own constructor: a subclass may take fewer.
        names = list(inspect.signature(type(self).__init__).parameters)[1:]
        return {name: getattr(self, name) for name in sorted(names)}


def check_settings(params: Mapping[str, Any]) -> None:
    """Check the parameters of :class:`psif.PSIF` that can be checked without data."""
    for name, allowed in _CHOICES.items():
        if params[name] not in allowed:
            raise InputError(f"{name} must be one of {', '.join(allowed)}; got {params[name]!r}.")
    for name, (least, other) in _WHOLE.items():
        _check_whole(name, params[name], least, other)
    resolve_jobs(params["n_jobs"])
    a = params["a"]
    if not isinstance(a, int | float | np.number) or not 0 < a < np.inf:
        raise InputError(f"a must be a positive number (the paper uses 1e-3); got {a!r}.")
    for name, meaning in _SHARES.items():
        share = params[name]
        if not isinstance(share, int | float | np.number) or not 0 <= share < 1:
            raise InputError(
                f"{name} must be a number from 0 up to, but less than, 1: {meaning}; got {share!r}."
            )
    n_topics, n_active = params["n_topics"], params["n_active"]
    if n_active is not None and n_topics != "auto" and n_active > n_topics:
        raise InputError(
            f"n_active={n_active} is more than n_topics={n_topics}: "
            "it is how many topics one word may use."
        )


def _check_whole(name: str, value: Any, least: int, other: Any) -> None:
    if value is other or (isinstance(value, str) and value == other):
        return
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_whole or value < least:
        hint = f" (or {other!r})" if not isinstance(other, int) else ""
        raise InputError(f"{name} must be a whole number from {least} up{hint}; got {value!r}.")
