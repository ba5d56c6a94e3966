"""One line for every error."""

from __future__ import annotations

import errno
import os
import re

from psif.errors import PsifError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_SPACE = (
    "no space left to write. Free some and run the command again; psif embed and psif predict "
    "go on where they stopped with --resume."
)
# What numpy says when the system takes less than it was given.
_SHORT_WRITE = re.compile(r"[0-9]+ requested and [0-9]+ written")
_SYSTEM_ERROR = re.compile(r"\(os error ([0-9]+)\)")


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
        if error.errno in _FULL or _SHORT_WRITE.fullmatch(str(error)):
            return f"{place}{_NO_SPACE}"
        return f"{place}{error.strerror or _flat(error)}"
    name = type(error).__name__
    if name == "SafetensorError" and (found := _SYSTEM_ERROR.search(str(error))):
        # The package writes files by itself, and tells failures of the system as its own.
        number = int(found[1])
        return _NO_SPACE if number in _FULL else f"cannot write: {os.strerror(number)}"
    return f"unexpected {name}: {_flat(error)}. psif --debug shows where; please report it."


def _flat(error: BaseException) -> str:
    return " ".join(str(error).split())
