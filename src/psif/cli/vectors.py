"""``psif vectors``."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from psif.cli.messages import Messages
from psif.cli.options import input_options, jobs_option, json_option, read_options


@click.group(name="vectors")
def command() -> None:
    r"""List, inspect, convert and train word vectors.

    \b
    Examples:
      psif vectors list
      psif vectors convert glove.6B.100d.txt glove --top 100000
      psif vectors train articles.jsonl -o articles.vectors --method ppmi
    """


@command.command(name="list")
@json_option
def list_vectors(as_json: bool) -> None:
    """Print the trainers, and the tables in the folder that PSIF_VECTORS names."""
    from psif.vectors.trainers import TRAINERS

    root = os.environ.get("PSIF_VECTORS")
    folders = sorted(Path(root).iterdir()) if root and Path(root).is_dir() else []
    tables = [str(folder) for folder in folders if folder.is_dir()]
    if as_json:
        click.echo(json.dumps({"trainers": list(TRAINERS), "tables": tables}))
        return
    click.echo(f"trainers: {', '.join(TRAINERS)}")
    for table in tables:
        click.echo(table)


@command.command(name="info")
@click.argument("path")
@json_option
def info(path: str, as_json: bool) -> None:
    """Print the size of a table and its first words."""
    from psif.vectors.table import WordVectors

    table = WordVectors.load(path)
    facts = {"words": len(table), "dimensions": table.dim, "first": table.words[:10]}
    if as_json:
        click.echo(json.dumps(facts, ensure_ascii=False))
    else:
        click.echo(f"{len(table):,} words, {table.dim} dimensions: {' '.join(table.words[:10])}")


@command.command(name="convert")
@click.argument("source")
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--top", type=click.IntRange(min=1), help="Only the first words of the file.")
@click.pass_obj
def convert(messages: Messages, source: str, target: Path, top: int | None) -> None:
    """Turn any readable table into a folder that loads in milliseconds."""
    from psif.vectors.table import WordVectors

    table = WordVectors.load(source, top_n=top)
    table.save(target)
    messages.say(f"{target}: {len(table):,} words, {table.dim} dimensions")


@command.command(name="train")
@input_options
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder.")
@click.option("--method", default="ppmi", show_default=True, help="ppmi, sgns or doc2vecc.")
@click.option("--dim", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--min-count", type=click.IntRange(min=1), default=5, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@jobs_option
@click.pass_obj
def train(messages: Messages, /, inputs: tuple[str, ...], output: Path, **options: Any) -> None:
    """Train word vectors on documents."""
    from psif.cli.reporting import report_reading
    from psif.text.readers import ReadReport, read_documents
    from psif.vectors.table import WordVectors

    report = ReadReport()
    documents = read_documents(inputs, read_options(options), report)
    table = WordVectors.train(
        (document.text for document in documents),
        options["method"],
        dim=options["dim"],
        min_count=options["min_count"],
        random_state=options["seed"],
        n_jobs=options["jobs"],
    )
    table.save(output)
    report_reading(report, messages)
    messages.say(f"{output}: {len(table):,} words, {table.dim} dimensions")
