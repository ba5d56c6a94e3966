"""``psif predict``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from psif.cli.messages import Messages
from psif.cli.options import input_options, jobs_option, read_options


@click.command(name="predict")
@click.argument("model", type=click.Path(path_type=Path))
@input_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="File of labels: .csv, .jsonl or .parquet.",
)
@click.option("--proba", is_flag=True, help="Add the probability of every class.")
@click.option(
    "--top", type=click.IntRange(min=1), help="Add the N likeliest classes with probabilities."
)
@click.option("--why", is_flag=True, help="Add the words that decided.")
@click.option(
    "--separator",
    default=";",
    show_default=True,
    help="Divides the labels of a document that has several, in .csv and .parquet.",
)
@click.option("--resume", is_flag=True, help="Continue an interrupted run.")
@jobs_option
@click.pass_obj
def command(
    messages: Messages, /, model: Path, inputs: tuple[str, ...], output: Path, **options: Any
) -> None:
    """Write the labels of documents that a classifier predicts.

    MODEL is a folder that psif train wrote. The documents are read and written in batches, so
    that the input may be larger than memory. The output appears when it is complete; until then the
    finished part is in OUTPUT.part, and --resume continues it.

    \b
    Examples:
      psif predict tickets.clf new.csv -o labels.csv
      psif predict tickets.clf new.jsonl -o labels.jsonl --top 3 --why
    """
    from psif.cli.predicting import Asked, PredictRun

    reading = read_options(options)
    asked = Asked(options["proba"], options["top"], options["why"], options["separator"])
    run = PredictRun(model, inputs, reading, output, asked, options["jobs"], messages)
    run(resume=options["resume"])
