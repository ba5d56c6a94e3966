"""Which files inputs are: no output may overwrite one, and a resumed run needs the same."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from psif.errors import InputError
from psif.files.readers.folder import folder_files


def refuse_inputs_as_outputs(
    outputs: Iterable[str | Path],
    inputs: Iterable[str | Path],
    option: str = "--output",
    *,
    models: Iterable[str | Path | None] = (),
) -> None:
    """Raise if an output is one of the inputs, by identity and not by name.

    Hard links, symbolic links and other spellings of a path are the same file. The texts in an
    input folder count as inputs, and so does every file of a model. Names that are no files, such
    as that of a trainer, are left out.
    """
    existing = {key: path for path in outputs if (key := _identity(path)) is not None}
    if not existing:
        return
    for name in itertools.chain(_files(inputs), _every_file(models)):
        output = existing.get(_identity(name) or (-1, -1))
        if output is not None:
            raise InputError(
                f"{output} is an input ({name}); writing there would destroy it. "
                f"Give another {option}."
            )


def refuse_equal_outputs(outputs: Mapping[str, str | Path | None]) -> None:
    """Raise if two options name one file to write; None stands for an option not given."""
    seen: dict[tuple[int, int] | Path, str] = {}
    for option, path in outputs.items():
        if path is None:
            continue
        other = seen.setdefault(_identity(path) or Path(path).resolve(), option)
        if other != option:
            raise InputError(f"{path} is given for both {other} and {option}.")


def input_fingerprint(inputs: Iterable[str]) -> str:
    """Tell inputs apart by name, size and time of change."""
    digest = hashlib.sha256()
    for name in inputs:
        digest.update(f"{name}\n".encode("utf-8", "surrogateescape"))
        if name == "-":
            continue
        files = folder_files(name) if Path(name).is_dir() else [Path(name)]
        for file in files:
            state = file.stat()
            digest.update(os.fsencode(f"{file}\t{state.st_size}\t{state.st_mtime_ns}\n"))
    return digest.hexdigest()


def _files(inputs: Iterable[str | Path]) -> Iterable[str | Path]:
    for name in inputs:
        if str(name) == "-":
            continue
        yield name
        if os.path.isdir(name):
            yield from folder_files(str(name))


def _every_file(models: Iterable[str | Path | None]) -> Iterable[str | Path]:
    for model in models:
        if model is not None:
            yield model
            for folder, _, files in os.walk(model):
                yield from (os.path.join(folder, file) for file in files)


def _identity(path: str | Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
