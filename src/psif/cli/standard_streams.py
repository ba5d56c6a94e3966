"""Standard input, output and error, also where the caller has closed them."""

from __future__ import annotations

import os
import sys


def open_missing_streams() -> None:
    """Put the null device in the place of closed streams.

    Else the next file that is opened gets the number of the closed stream, and whatever a library
    prints there goes into that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
    # Standard input stays None: reading from it is an error that says so.
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def read_standard_input() -> str:
    """Return all of standard input as text."""
    from psif.files.readers.opening import open_raw

    with open_raw("-") as file:
        return file.read().decode("utf-8-sig", "replace")


def write_error(text: str, end: str = "\n") -> None:
    """Write to standard error; a message that nobody can get must not stop the work."""
    if sys.stderr is None:
        return
    try:
        print(text, end=end, file=sys.stderr, flush=True)
    except (OSError, ValueError):  # a closed pipe, a full disk, a closed file
        _silence()


def _silence() -> None:
    """Send what is still to come to the null device, the end of the process included."""
    try:
        if sys.stderr.fileno() == 2:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 2)
            os.close(null)
    except (OSError, ValueError):
        pass
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
