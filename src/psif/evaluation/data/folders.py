"""The evaluation sets: JSON Lines in the folder that PSIF_DATA names, and in the cache."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from psif.errors import FormatError, InputError


class MissingDataError(InputError):
    """A set is not on this machine."""


def cache_root() -> Path:
    """Return the folder that `psif data fetch` fills, in the user's cache."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "psif" / "data"


def data_roots() -> list[Path]:
    """Folders that hold sets, in the order in which they are searched."""
    folder = os.environ.get("PSIF_DATA")
    if folder and not Path(folder).is_dir():
        raise MissingDataError(f"PSIF_DATA is {folder}, which is not a folder.")
    found = [Path(folder)] if folder else []
    if cache_root().is_dir():
        found.append(cache_root())
    if not found:
        raise MissingDataError(
            "the evaluation sets are not on this machine: `psif data fetch TASK` downloads one, "
            "or let the environment variable PSIF_DATA name a folder that holds them, one folder "
            "per set with gzip-compressed JSON Lines, for example 20news_bydate/train.jsonl.gz. "
            "Your own labelled files need neither: --train FILE --test FILE."
        )
    return found


def data_file(name: str) -> Path:
    """Return the path of a file of a set, which must be there."""
    roots = data_roots()
    for root in roots:
        if (root / name).exists():
            return root / name
    places = " and ".join(map(str, roots))
    folder = name.rpartition("/")[0]
    raise MissingDataError(
        f"{places} has no {name}. `psif data list` shows what is there; "
        f"`psif data fetch {folder}` downloads the set."
    )


def read_rows(name: str) -> Iterator[dict[str, Any]]:
    """Objects of a gzip-compressed JSON Lines file, in order."""
    path = data_file(f"{name}.jsonl.gz")
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)
    except (gzip.BadGzipFile, zlib.error, EOFError, ValueError, RecursionError) as error:
        raise FormatError(
            f"{path}: not gzip-compressed JSON Lines ({error}); fetch it again."
        ) from error
