"""One line for every error."""

from __future__ import annotations

import errno

from psif.errors import PsifError


def one_line(error: BaseException) -> str:
    """Tell what went wrong, without a traceback."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted."
    if isinstance(error, PsifError):
        return _flat(error)
    if isinstance(error, MemoryError):
        return f"not enough memory. {_flat(error)}".rstrip()
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            return f"{place}no space left to write. Free some, then add --resume to psif embed."
        return f"{place}{error.strerror or _flat(error)}"
    name = type(error).__name__
    return f"unexpected {name}: {_flat(error)}. psif --debug shows where; please report it."


def _flat(error: BaseException) -> str:
    return " ".join(str(error).split())
