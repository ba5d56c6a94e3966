"""Fetch an evaluation set: download, convert, check, and put it where the tasks look."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from psif.errors import FormatError, InputError
from psif.evaluation.data.fetching.contents import content_sha256, expected_contents
from psif.evaluation.data.fetching.documents import Rows
from psif.evaluation.data.fetching.download import DownloadError, download
from psif.evaluation.data.fetching.sources import SOURCES, Source
from psif.evaluation.data.folders import cache_root
from psif.evaluation.tasks import GROUPS
from psif.runtime.atomic import atomic_folder
from psif.runtime.suggestions import unknown_name

# What a converter may stumble over in a file that is not what it should be.
_UNREADABLE = (
    ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, OverflowError,
    csv.Error,
)  # fmt: skip


class Fetched(NamedTuple):
    """A set that was fetched: its folder, rows per split, and splits unlike our copy."""

    folder: Path
    rows: dict[str, int]
    differs: list[str]


def find_sources(names: Iterable[str]) -> list[Source]:
    """Return the sources of tasks, groups of tasks and sets, each once."""
    by_task = {task: source for source in SOURCES.values() for task in source.tasks}
    known = {**by_task, **SOURCES}
    found: dict[str, Source] = {}
    for name in names:
        for member in GROUPS.get(name, (name,)):
            if member not in known:
                raise unknown_name("task or set", member, [*known, *GROUPS])
            found[known[member].folder] = known[member]
    return list(found.values())


def fetch(
    source: Source,
    *,
    files: Sequence[Path] = (),
    root: Path | None = None,
    downloads: Path | None = None,
    accept: bool = False,
    tell: Callable[[str], None] = lambda text: None,
) -> Fetched:
    """Put one set into the data folder; it appears whole or not at all.

    Parameters
    ----------
    source : Source
    files : sequence of Path
        The files of its source, downloaded already; by default they are downloaded.
    root : Path, optional
        The data folder, by default the cache.
    downloads : Path, optional
        A folder for downloaded files, shared by sets of one archive.
    accept : bool
        Take the set also when it is not the one that our scores were made with.
    """
    root = cache_root() if root is None else root
    name = source.tasks[0]
    if not files and not source.files:
        raise InputError(
            f"{name} is not served to everybody: {source.advice}, then "
            f"`psif data fetch {name} --from FILE`."
        )
    with tempfile.TemporaryDirectory(prefix="psif-") as temporary:
        if not files:
            files = _downloaded(source, Path(temporary) if downloads is None else downloads, tell)
            authentic = source.authentic
        else:
            authentic = False
        rows = _converted(source, files)
    differs = _check(source, rows, authentic=authentic, accept=accept)
    _write(root / source.folder, rows)
    return Fetched(root / source.folder, {split: len(r) for split, r in rows.items()}, differs)


def _downloaded(source: Source, folder: Path, tell: Callable[[str], None]) -> list[Path]:
    paths = []
    for remote in source.files:
        # A folder per address: files of different sources may have one name.
        place = folder / hashlib.sha256(remote.url.encode()).hexdigest()[:12] / remote.name
        if not place.exists():
            try:
                download(remote.url, place, sha256=remote.sha256, tell=tell)
            except DownloadError as error:
                raise DownloadError(
                    f"{error}. Without a network, download the files of the set elsewhere, then "
                    f"`psif data fetch {source.tasks[0]} --from FILE`."
                ) from error
        paths.append(place)
    return paths


def _converted(source: Source, files: Sequence[Path]) -> Rows:
    try:
        rows = source.convert(files)
    except FormatError:
        raise
    except _UNREADABLE as error:
        names = ", ".join(file.name for file in files)
        raise FormatError(
            f"{names}: not in the form that {source.tasks[0]} has at its source "
            f"({type(error).__name__}: {error})."
        ) from error
    found = {split: part for split, part in rows.items() if part}
    if not found:
        names = ", ".join(file.name for file in files)
        raise FormatError(f"{names}: found nothing of {source.tasks[0]} in it.")
    return found


def _check(source: Source, rows: Rows, *, authentic: bool, accept: bool) -> list[str]:
    """Return the splits whose content is not that of our copy, or refuse them."""
    wanted = {
        name.rpartition("/")[2]: known
        for name, known in expected_contents().items()
        if name.rpartition("/")[0] == source.folder
    }
    counts = {split: len(found) for split, found in rows.items()}
    expected = {split: known["rows"] for split, known in wanted.items()}
    task = source.tasks[0]
    if counts != expected and not accept:
        raise FormatError(
            f"{task}: got {_listed(counts)} rows, expected {_listed(expected)}. The source may "
            "have changed; --accept takes the set as it is."
        )
    differs = [
        split
        for split, found in rows.items()
        if split not in wanted or content_sha256(found) != wanted[split]["sha256"]
    ]
    if differs and not authentic and not accept:
        raise FormatError(
            f"{task}: the texts or labels of {', '.join(differs)} are not those that our scores "
            "were made with. The source may have changed; --accept takes the set as it is."
        )
    return differs


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{split} {n:,}" for split, n in sorted(counts.items()))


def _write(folder: Path, rows: Rows) -> None:
    with atomic_folder(folder) as part:
        for split, found in rows.items():
            # No time in the header: the same rows give the same bytes.
            with (
                (part / f"{split}.jsonl.gz").open("wb") as raw,
                gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as file,
            ):
                file.writelines(
                    (json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
                    for row in found
                )
        if "rest" in rows:
            both = [
                {label for row in rows[split] for label in row["labels"]}
                for split in ("train", "test")
            ]
            names = json.dumps(sorted(both[0] & both[1]))
            (part / "r90_labels.json").write_text(names, encoding="utf-8")
