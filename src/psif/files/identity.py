"""Refuse outputs that are inputs: what is read must never be overwritten."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from psif.errors import InputError
from psif.files.readers.folder import folder_files


def refuse_inputs_as_outputs(
    outputs: Iterable[str | Path], inputs: Iterable[str | Path], option: str = "--output"
) -> None:
    """Raise if an output is one of the inputs, by identity and not by name.

    Hard links, symbolic links and other spellings of a path are the same file. Files of an input
    folder count as inputs.
    """
    existing = {key: path for path in outputs if (key := _identity(path)) is not None}
    if not existing:
        return
    for name in _files(inputs):
        output = existing.get(_identity(name) or (-1, -1))
        if output is not None:
            raise InputError(
                f"{output} is an input ({name}); writing there would destroy it. "
                f"Give another {option}."
            )


def _files(inputs: Iterable[str | Path]) -> Iterable[str | Path]:
    for name in inputs:
        if str(name) == "-":
            continue
        yield name
        if os.path.isdir(name):
            yield from folder_files(str(name))


def _identity(path: str | Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
