"""The evaluation sets: JSON Lines in the folder that PSIF_DATA names."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from psif.errors import FormatError, InputError


class MissingDataError(InputError):
    """A set is not on this machine."""


def data_root() -> Path:
    """Return the folder of all sets."""
    folder = os.environ.get("PSIF_DATA")
    if not folder:
        raise MissingDataError(
            "the evaluation sets are not on this machine: let the environment variable PSIF_DATA "
            "name a folder that holds them, one folder a set with gzip'd JSON Lines, for example "
            "20news_bydate/train.jsonl.gz. `psif eval --list` says which sets there are and where "
            "each comes from. Own labelled files need no PSIF_DATA: --train FILE --test FILE."
        )
    if not Path(folder).is_dir():
        raise MissingDataError(f"PSIF_DATA is {folder}, which is not a folder.")
    return Path(folder)


def data_file(name: str) -> Path:
    """Return the path of a file of a set, which must be there."""
    root = data_root()
    path = root / name
    if not path.exists():
        raise MissingDataError(
            f"PSIF_DATA ({root}) has no {name}. `psif data list` shows what is there; "
            "`psif eval --list` says where the set comes from."
        )
    return path


def read_rows(name: str) -> Iterator[dict[str, Any]]:
    """Objects of a gzip'd JSON Lines file, in order."""
    path = data_file(f"{name}.jsonl.gz")
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)
    except (gzip.BadGzipFile, EOFError, ValueError) as error:
        raise FormatError(f"{path}: not gzip'd JSON Lines ({error}); fetch it again.") from error
