"""``psif dedupe``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from psif.cli.messages import Messages
from psif.cli.options import input_options, jobs_option, json_option, read_options


@click.command(name="dedupe")
@input_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="File of the documents that stay: .jsonl, .csv, .tsv, .parquet or .txt.",
)
@click.option(
    "--report",
    "report_file",
    type=click.Path(path_type=Path),
    help="File with one row per dropped document: the copy that stays, level and similarity.",
)
@click.option(
    "--against",
    multiple=True,
    metavar="OLD",
    help="Documents that are there already: their copies are dropped, they are not written.",
)
@click.option(
    "--level",
    type=click.Choice(["identical", "near", "paraphrase"]),
    default="near",
    show_default=True,
    help="What counts as a copy: the same words in the same order; some words changed or moved; "
    "other words for the same. Each level includes the ones before.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0.5, 1),
    default=0.9,
    show_default=True,
    help="How alike copies are; 0.9 lets a fifth of the words change.",
)
@click.option(
    "--keep",
    type=click.Choice(["first", "longest"]),
    default="first",
    show_default=True,
    help="Which copy stays: the first of the input, or the one with most words.",
)
@click.option("--mark", is_flag=True, help="Write all documents, with columns about their copies.")
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    help="Saved model for --level paraphrase [default: one learned from the documents].",
)
@jobs_option
@json_option
@click.pass_obj
def command(
    messages: Messages, /, inputs: tuple[str, ...], output: Path, as_json: bool, **options: Any
) -> None:
    """Write documents without their copies.

    INPUT and OLD are .txt (one document per line), .jsonl, .csv, .tsv or .parquet, each also
    compressed with gzip, folders of text files, or - for standard input. All columns of the rows
    are kept. The input is read twice and never held in memory as a whole.

    \b
    Examples:
      psif dedupe tickets.csv -o kept.csv --report copies.csv
      psif dedupe today.jsonl --against archive.jsonl -o new.jsonl
      psif dedupe tickets.csv -o marked.parquet --mark
    """
    from psif.cli.deduping import DedupeRun, print_summary

    run = DedupeRun(
        inputs=inputs,
        against=options.pop("against"),
        output=output,
        report_file=options.pop("report_file"),
        reading=read_options(options),
        messages=messages,
        **{name: options[name] for name in ("level", "threshold", "keep", "mark", "model", "jobs")},
    )
    print_summary(run.run(), as_json=as_json)
