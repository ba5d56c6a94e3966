"""The model that an adapter wraps."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from psif.errors import EmptyDocumentsWarning, InputError
from psif.model.embedder import Embedder
from psif.types import FloatMatrix


def opened(model: Embedder | str | Path) -> Embedder:
    """Return a fitted model as it is, or load one from its folder."""
    if isinstance(model, str | Path):
        return Embedder.load(model)
    if not isinstance(model, Embedder) or not hasattr(model, "words_"):
        raise InputError("expected a fitted PSIF model, or the folder of one.")
    return model


def vectors(model: Embedder, texts: Any) -> FloatMatrix:
    """Return the vectors of texts; one without a known word is zero, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EmptyDocumentsWarning)
        found: FloatMatrix = model.average(model.word_ids([str(text) for text in texts]))
    return found


def lists(model: Embedder, texts: Any) -> list[list[float]]:
    """Return the vectors of texts as lists of numbers."""
    rows: list[list[float]] = vectors(model, texts).tolist()
    return rows


def folder_name(model: Embedder | str | Path) -> str:
    """Return the folder of a model as text, for the configuration of another program."""
    if isinstance(model, str | Path):
        return str(model)
    raise InputError(
        "a model in memory cannot be written into a configuration; "
        "save it and give its folder instead."
    )
