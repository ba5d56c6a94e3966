"""``psif explain``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from psif.cli.options import json_option
from psif.cli.printing import echo, print_json, print_rich
from psif.errors import InputError


@click.command(name="explain")
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("a")
@click.argument("b")
@json_option
def command(model: Path, a: str, b: str, as_json: bool) -> None:
    """Split the similarity of texts A and B exactly over topics and word pairs.

    A text that begins with @ names a file that holds it.

    \b
    Examples:
      psif explain vectors.model "open a file" "read from disk"
      psif explain vectors.model @letter.txt @answer.txt --json
    """
    from psif.model.embedder import Embedder

    explanation = Embedder.load(model).explain(_text(a), _text(b))
    if as_json:
        print_json(explanation.to_dict())
    elif sys.stdout.isatty():
        print_rich(explanation)
    else:
        echo(explanation)


def _text(argument: str) -> str:
    if not argument.startswith("@"):
        return argument
    try:
        return Path(argument[1:]).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{argument[1:]}: {error.strerror}") from error
