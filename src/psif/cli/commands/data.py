"""``psif data``."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import click

from psif.cli.messages import Messages
from psif.cli.options import json_option
from psif.cli.printing import echo, print_json
from psif.errors import InputError, PsifError


@click.group(name="data")
def command() -> None:
    """Show and fetch the evaluation sets.

    They are read from the folder that the environment variable PSIF_DATA names, then from the
    user's cache, which `fetch` fills: one folder per set, one .jsonl.gz file per split.

    \b
    Examples:
      psif data list
      psif data path 20news_bydate
      psif data fetch --list
      psif data fetch 20news sts
      psif data fetch recipe --from train.json.zip
    """


@command.command(name="list")
@json_option
def list_sets(as_json: bool) -> None:
    """Print each set, its splits and their numbers of documents."""
    found = [
        {"set": name, "split": file.name.removesuffix(".jsonl.gz"), "rows": _count(file)}
        for name, folder in _sets().items()
        for file in sorted(folder.glob("*.jsonl.gz"))
    ]
    if as_json:
        print_json(found)
        return
    width = max((len(str(row["set"])) for row in found), default=0)
    by_set: dict[Any, list[str]] = {}
    for row in found:
        by_set.setdefault(row["set"], []).append(f"{row['split']} {row['rows']:,}")
    for name, splits in by_set.items():
        echo(f"{name:<{width}}  {', '.join(splits)}")


@command.command(name="path")
@click.argument("name")
def path_of(name: str) -> None:
    """Print the folder of a set."""
    sets = _sets()
    if name not in sets:
        from psif.runtime.suggestions import unknown_name

        raise unknown_name("set", name, sets)
    echo(sets[name])


@command.command(name="fetch")
@click.argument("names", nargs=-1, metavar="[TASK]...")
@click.option("--list", "list_sources", is_flag=True, help="List where each set comes from.")
@click.option(
    "--from",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of the source that was downloaded already; may be given several times.",
)
@click.option("--accept", is_flag=True, help="Take a set although its content is not as expected.")
@click.pass_obj
def fetch_sets(
    messages: Messages,
    /,
    names: tuple[str, ...],
    list_sources: bool,
    files: tuple[Path, ...],
    accept: bool,
) -> None:
    """Download sets into the user's cache.

    A TASK is a name or a group (sts, wmd, all) of `psif eval --list`. Files come over https and
    are checked. A set that fails does not stop the others, but the exit code is then 1.
    """
    import tempfile

    from psif.evaluation.data.fetching.fetch import fetch, find_sources
    from psif.evaluation.data.fetching.sources import SOURCES

    if list_sources:
        for source in SOURCES.values():
            places = [remote.url for remote in source.files] or [source.advice]
            echo(f"{', '.join(source.tasks)}: {' '.join(places)}")
        return
    sources = find_sources(names)
    if not sources:
        raise click.UsageError("name a TASK, or give --list.")
    if files and len(sources) > 1:
        raise click.UsageError("--from is for one set; name one TASK.")
    reasons = []
    # Sets of one archive share the download.
    with tempfile.TemporaryDirectory(prefix="psif-") as folder:
        for source in sources:
            try:
                found = fetch(
                    source, files=files, downloads=Path(folder), accept=accept, tell=messages.say
                )
            except (PsifError, OSError) as error:
                reasons.append(str(error))
                continue
            rows = ", ".join(f"{split} {n:,}" for split, n in found.rows.items())
            echo(f"{found.folder}  {rows}")
            if found.differs:
                messages.warn(
                    f"{source.tasks[0]}: {', '.join(found.differs)} differ from the copies that "
                    "our scores were made with; scores may differ a little."
                )
    for reason in reasons[:-1]:
        messages.warn(reason)
    if reasons:
        raise PsifError(reasons[-1])


def _sets() -> dict[str, Path]:
    from psif.evaluation.data.folders import data_roots

    roots = data_roots()
    found: dict[str, Path] = {}
    for root in roots:
        for folder in sorted({file.parent for file in root.rglob("*.jsonl.gz")}):
            found.setdefault(folder.relative_to(root).as_posix(), folder)
    if not found:
        places = " and ".join(map(str, roots))
        raise InputError(f"{places}: no folder with .jsonl.gz files in it")
    return found


def _count(path: Path) -> int:
    with gzip.open(path) as file:
        return sum(data.count(b"\n") for data in iter(lambda: file.read(1 << 20), b""))
