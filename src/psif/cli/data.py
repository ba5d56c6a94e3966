"""``psif data``."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import click

from psif.cli.options import json_option
from psif.errors import InputError


@click.group(name="data")
def command() -> None:
    r"""Show the evaluation sets on this machine.

    They are read from the folder that the environment variable PSIF_DATA names: a folder a set,
    each split a .jsonl.gz. psif does not download them.

    \b
    Examples:
      psif data list
      psif data path 20news_bydate
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
        click.echo(json.dumps(found))
        return
    width = max((len(str(row["set"])) for row in found), default=0)
    by_set: dict[Any, list[str]] = {}
    for row in found:
        by_set.setdefault(row["set"], []).append(f"{row['split']} {row['rows']:,}")
    for name, splits in by_set.items():
        click.echo(f"{name:<{width}}  {', '.join(splits)}")


@command.command(name="path")
@click.argument("name")
def path_of(name: str) -> None:
    """Print the folder of a set."""
    sets = _sets()
    if name not in sets:
        raise InputError(f"no set {name!r} in {_root()}; there are {', '.join(sets)}")
    click.echo(sets[name])


def _root() -> Path:
    folder = os.environ.get("PSIF_DATA")
    if not folder:
        raise InputError("PSIF_DATA is not set; let it name the folder with the evaluation sets")
    if not Path(folder).is_dir():
        raise InputError(f"PSIF_DATA is {folder}, which is not a folder")
    return Path(folder)


def _sets() -> dict[str, Path]:
    root = _root()
    folders = sorted({file.parent for file in root.rglob("*.jsonl.gz")})
    if not folders:
        raise InputError(f"{root}: no folder with .jsonl.gz files in it")
    return {folder.relative_to(root).as_posix(): folder for folder in folders}


def _count(path: Path) -> int:
    with gzip.open(path) as file:
        return sum(data.count(b"\n") for data in iter(lambda: file.read(1 << 20), b""))
