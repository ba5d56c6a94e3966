"""Errors about unknown names, with the nearest known one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from psif.errors import InputError


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most like ``name``, or None if none is like it."""
    near = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return near[0] if near else None


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'x'?", or the list of known names."""
    known = list(known)
    near = nearest_name(name, known)
    return f"; did you mean {near!r}?" if near else f"; known are {', '.join(known)}"


def unknown_name(what: str, name: str, known: Iterable[str]) -> InputError:
    """Make the error for an unknown name, with the nearest known name and all known names."""
    known = list(known)
    near = nearest_name(name, known)
    hint = f" Did you mean {near!r}?" if near else ""
    return InputError(f"no {what} is called {name!r}.{hint} There are {', '.join(known)}.")
