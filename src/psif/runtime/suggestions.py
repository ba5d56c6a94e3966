"""Errors about names that nothing bears."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from psif.errors import InputError


def did_you_mean(what: str, name: str, known: Sequence[str]) -> InputError:
    """Make the error for an unknown name, with the nearest known one."""
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return InputError(f"no {what} is called {name!r}.{hint} There are {', '.join(known)}.")
