"""Fetch a set: download, convert, check, and put it where the tasks look."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from psif.errors import FormatError, InputError
from psif.evaluation.data.fetching.contents import content_sha256, expected_contents
from psif.evaluation.data.fetching.documents import Rows
from psif.evaluation.data.fetching.download import DownloadError, download
from psif.evaluation.data.fetching.sources import HOMES, Home
from psif.evaluation.data.folders import cache_root
from psif.evaluation.tasks import GROUPS
from psif.runtime.atomic import atomic_folder
from psif.runtime.suggestions import unknown_name


class Fetched(NamedTuple):
    """A set that is there now."""

    folder: Path
    rows: dict[str, int]
    differs: list[str]


def find_homes(names: Iterable[str]) -> list[Home]:
    """Homes of tasks, groups of tasks and sets, each once."""
    by_task = {task: home for home in HOMES.values() for task in home.tasks}
    known = {**by_task, **HOMES}
    found: dict[str, Home] = {}
    for name in names:
        for member in GROUPS.get(name, (name,)):
            if member not in known:
                raise unknown_name("task or set", member, [*known, *GROUPS])
            found[known[member].folder] = known[member]
    return list(found.values())


def fetch(
    home: Home,
    *,
    files: Sequence[Path] = (),
    root: Path | None = None,
    accept: bool = False,
    tell: Callable[[str], None] = lambda text: None,
) -> Fetched:
    """Bring one set into the data folder; it appears whole or not at all.

    Parameters
    ----------
    home : Home
    files : sequence of Path
        What its home serves, downloaded already; else it is downloaded.
    root : Path, optional
        The data folder, by default the cache.
    accept : bool
        Take it also when its numbers of rows are not those of the copies that we scored.
    """
    root = cache_root() if root is None else root
    if home.convert is None or (home.url is None and not files):
        raise InputError(_no_home(home))
    kept = None
    if not files:
        assert home.url is not None
        kept = root / "downloads" / home.url.split("?")[0].rsplit("/", 1)[-1]
        try:
            files = [download(home.url, kept, sha256=home.sha256, tell=tell)]
        except DownloadError as error:
            raise DownloadError(
                f"{error}. Without a network: download it elsewhere, then "
                f"`psif data fetch {home.tasks[0]} --from FILE`."
            ) from error
    rows = {split: found for split, found in home.convert(files).items() if found}
    differs = _check(home, rows, accept=accept)
    _write(root / home.folder, rows)
    if kept is not None:
        kept.unlink(missing_ok=True)
    return Fetched(root / home.folder, {split: len(r) for split, r in rows.items()}, differs)


def _no_home(home: Home) -> str:
    name = home.tasks[0]
    end = (
        f", then `psif data fetch {name} --from FILE`."
        if home.convert is not None
        else "; put them into the data folder by hand, as docs/evaluation.md says."
    )
    return f"{name} has no home that serves it to everybody: {home.advice}{end}"


def _check(home: Home, rows: Rows, *, accept: bool) -> list[str]:
    """Return the splits whose content is not that of our copy; refuse other numbers of rows."""
    contents = expected_contents()
    wanted = {
        name.rpartition("/")[2]: known
        for name, known in contents.items()
        if name.rpartition("/")[0] == home.folder
    }
    if not rows:
        raise FormatError(
            f"found nothing of {home.tasks[0]} in what was fetched; its home may have changed."
        )
    counts = {split: len(found) for split, found in rows.items()}
    expected = {split: known["rows"] for split, known in wanted.items()}
    if counts != expected and not accept:
        raise FormatError(
            f"{home.tasks[0]}: got {_listed(counts)} rows, expected {_listed(expected)}. The home "
            "may have changed; --accept takes it as it is."
        )
    return [
        split
        for split, found in rows.items()
        if split not in wanted or content_sha256(found) != wanted[split]["sha256"]
    ]


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
                    (json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8") for row in found
                )
        if "rest" in rows:
            both = [
                {label for row in rows[split] for label in row["labels"]}
                for split in ("train", "test")
            ]
            names = json.dumps(sorted(both[0] & both[1]))
            (part / "r90_labels.json").write_text(names, encoding="utf-8")
