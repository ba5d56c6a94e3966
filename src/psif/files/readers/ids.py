r"""What an id may be: any text that can be stored as UTF-8.

The one rule for all inputs and outputs. JSON escapes such as ``"\ud800"`` and file names in
another encoding give strings with lone surrogates, which UTF-8 does not have. Replacing them would
give two documents the same id, so such an id is refused.
"""

from __future__ import annotations

from collections.abc import Iterable

from psif.errors import InputError


def id_problem(key: str) -> str | None:
    """Return why a string cannot be an id, or None if it can."""
    try:
        key.encode()
    except UnicodeEncodeError as error:
        code = ord(key[error.start])
        return (
            f"its id {key!a} has a lone surrogate (U+{code:04X}), which is not text; "
            "give it another id"
        )
    return None


def check_ids(ids: Iterable[str]) -> None:
    """Raise an InputError for the first string that cannot be an id."""
    for position, key in enumerate(ids):
        if problem := id_problem(key):
            raise InputError(f"document {position}: {problem}")
