"""One error for every way in which a damaged file can fail to be read."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from psif.errors import FormatError, PsifError

# What the standard library, numpy, json and the decompressors raise on bytes that are not what
# they should be. BadGzipFile is an OSError, UnicodeDecodeError a ValueError.
_RAISED = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


@contextmanager
def damage_named(path: object) -> Iterator[None]:
    """Turn what reading a damaged file raises into a FormatError that names the file."""
    try:
        yield
    except PsifError:
        raise
    except PermissionError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    except MemoryError as error:
        raise FormatError(
            f"{path} asks for more memory than there is: it is damaged, or too large for this "
            "machine (top_n= reads only the first words)."
        ) from error
    except _RAISED as error:
        reason = str(error) or type(error).__name__
        raise FormatError(
            f"{path} is damaged or cut short ({reason}). Copy or download it again."
        ) from error
