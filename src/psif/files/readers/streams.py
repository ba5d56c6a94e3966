"""Inputs that can be read only once: standard input, pipes and devices."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Sequence
from pathlib import Path

from psif.files.readers.formats import format_of
from psif.files.readers.opening import file_state, open_raw
from psif.files.readers.options import ReadOptions
from psif.runtime.atomic import atomic_path

_COPIED = 1 << 20


def is_stream(path: str | Path) -> bool:
    """Tell whether an input is neither a regular file nor a folder.

    Such an input, as ``-``, a named pipe or the ``/dev/fd/63`` of a shell's ``<(command)``, gives
    its content once: a second reader would wait for ever, or find nothing.
    """
    if str(path) == "-":
        return True
    mode = file_state(path).st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def spool_streams(
    inputs: Sequence[str | Path], folder: str | Path, options: ReadOptions | None = None
) -> list[str]:
    """Copy inputs that can be read only once to files; return the inputs to read instead.

    Parameters
    ----------
    inputs : sequence of str or Path
    folder : path
        Where the copies go, as ``input-0.txt`` and so on, each whole or not there. A copy that an
        earlier run has left there is taken as it is: its pipe is gone.
    options : ReadOptions, optional
        Its ``format`` is that of inputs whose names have no ending.
    """
    options = options or ReadOptions()
    found = []
    for position, path in enumerate(map(str, inputs)):
        if not is_stream(path):
            found.append(path)
            continue
        copy = Path(folder) / f"input-{position}.{format_of(path, options)}"
        if not copy.exists():
            with open_raw(path) as source, atomic_path(copy) as part, part.open("wb") as target:
                shutil.copyfileobj(source, target, _COPIED)
        found.append(str(copy))
    return found
