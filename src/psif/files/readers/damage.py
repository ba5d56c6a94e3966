"""One error for every way in which a damaged file can fail to be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from psif.errors import FormatError, PsifError
from psif.files.readers.opening import cannot_read


@contextmanager
def damage_named(path: str | Path, problem: str) -> Iterator[None]:
    """Turn whatever a parser raises about a file into a FormatError with the file's name.

    The parsers of NumPy, Arrow, safetensors and JSON raise some twenty kinds of exceptions on
    damaged files, so that all kinds are meant here. Give it only code that parses.
    """
    try:
        yield
    except PsifError:
        raise
    except OSError as error:
        if error.errno is not None:  # of the system; Arrow has errors of its own without a number
            raise cannot_read(str(path), error) from error
        raise FormatError(f"{path}: {problem}: {_reason(error)}") from error
    except MemoryError as error:
        reason = "it asks for more memory than there is"
        raise FormatError(f"{path}: {problem}: {reason}") from error
    except Exception as error:
        raise FormatError(f"{path}: {problem}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__
