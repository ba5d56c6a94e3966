"""The settings of a model, and their checks before any work is done."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ParamSpec

import numpy as np

from psif.documents.averaging import COUNTS
from psif.documents.weights import WEIGHTINGS, Frequencies
from psif.errors import InputError
from psif.model.retired_settings import IN_TRAIN_OPTIONS, RENAMED, RETIRED
from psif.partitions.selection import PARTITIONS
from psif.partitions.shaping import SHAPES
from psif.runtime.suggestions import suggestion
from psif.runtime.threads import resolve_jobs
from psif.text.tokenizer import Tokenizer
from psif.vectors.preparation import PREPARATIONS

P = ParamSpec("P")

_CHOICES: dict[str, tuple[str, ...]] = {
    "partition": PARTITIONS,
    "weighting": WEIGHTINGS,
    "counts": COUNTS,
    "word_norm": PREPARATIONS,
    "codes": SHAPES,
    "unknown": ("skip", "hash"),
    "smoothing": ("none", "documents"),
}
# The smallest whole number allowed, and another value that is allowed.
_WHOLE: dict[str, tuple[int, Any]] = {
    "n_topics": (1, "auto"),
    "n_active": (1, None),
    "n_removed": (0, 0),
    "n_dims": (1, None),
    "dim": (1, 1),
    "phrases": (0, 0),
}
# Numbers from 0 to below 1.
_SHARES = {
    "shared_topic": "the weight of the topic that all words share",
    "word_columns": "the part of a document that columns of single words make up",
}


def names_unknown_settings(init: Callable[P, None]) -> Callable[P, None]:
    """Refuse unknown arguments with a message that names the class the user called."""
    known = list(inspect.signature(init).parameters)[1:]

    @functools.wraps(init)
    def checked(*args: P.args, **kwargs: P.kwargs) -> None:
        for name in kwargs:
            if name not in known:
                called = type(args[0]).__name__
                raise TypeError(f"{called} has no parameter {name!r}{_advice(name, known)}")
        init(*args, **kwargs)

    return checked


class Settings:
    """The settings of a model; :class:`psif.PSIF` says what each one means.

    They are stored as given and checked when a fit begins.
    """

    @names_unknown_settings
    def __init__(
        self,
        vectors: Any = "auto",
        *,
        n_topics: int | str = 20,
        n_active: int | None = 2,
        partition: str = "ksvd",
        weighting: str = "root-idf",
        a: float = 1e-3,
        frequencies: Frequencies = "corpus",
        counts: str = "log",
        n_removed: int = 0,
        n_dims: int | None = 512,
        normalize: bool = True,
        word_norm: str = "zipf",
        codes: str = "nonnegative-unit",
        shared_topic: float = 0.0,
        word_columns: float = 0.3,
        tokenizer: str | Tokenizer | Callable[[str], Iterable[str]] = "words",
        phrases: int = 0,
        min_count: int | None = None,
        unknown: str = "skip",
        smoothing: str = "documents",
        dim: int = 200,
        train_options: Mapping[str, Any] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
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
        self.normalize = normalize
        self.word_norm = word_norm
        self.codes = codes
        self.shared_topic = shared_topic
        self.word_columns = word_columns
        self.tokenizer = tokenizer
        self.phrases = phrases
        self.min_count = min_count
        self.unknown = unknown
        self.smoothing = smoothing
        self.dim = dim
        self.train_options = train_options
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting by name, in alphabetical order."""
        return {name: getattr(self, name) for name in sorted(setting_names(type(self)))}


def setting_names(kind: type) -> list[str]:
    """Return the settings of a class: a subclass may take fewer than :class:`Settings`."""
    return list(inspect.signature(kind).parameters)


def _advice(name: str, known: list[str]) -> str:
    """Say what to write instead of an unknown name."""
    if name in RENAMED:
        return f": it is called {RENAMED[name]!r} since version 0.2"
    if name in IN_TRAIN_OPTIONS:
        return f": since version 0.2 write train_options={{{name!r}: ...}}"
    if name in RETIRED:
        return f": it was removed in version 0.2 ({RETIRED[name]})"
    return suggestion(name, known)


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
    if not isinstance(params["normalize"], bool | np.bool_):
        raise InputError(f"normalize must be True or False; got {params['normalize']!r}.")
    # Two is the default, and fine with a single topic too.
    if n_active is not None and n_topics != "auto" and n_active > max(n_topics, 2):
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
