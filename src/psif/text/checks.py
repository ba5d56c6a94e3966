"""Refuse what is not a collection of texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from psif.errors import InputError


def check_texts(texts: Any) -> None:
    """Refuse what is not several documents."""
    if isinstance(texts, str | bytes):
        raise InputError("expected a list of documents, got a single text. Write [text].")
    if not isinstance(texts, Iterable):
        raise InputError(f"expected a list of documents, got {type(texts).__name__}.")
