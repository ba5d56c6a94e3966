"""``psif group``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from psif.cli.messages import Messages
from psif.cli.options import input_options, jobs_option, json_option, read_options


@click.command(name="group")
@input_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="File of all documents with their groups: .parquet, .jsonl, .csv or .tsv.",
)
@click.option("-n", "--number", type=click.IntRange(min=1), help="Groups [default: chosen].")
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    help="Saved model [default: one learned from the documents].",
)
@click.option(
    "--groups",
    "known",
    type=click.Path(path_type=Path),
    help="Groups that an earlier run saved: documents are assigned to them, nothing is learned.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    help="Folder of the learned groups [default: beside the output, with the ending .groups].",
)
@click.option("--why", is_flag=True, help="Add the words that bind a document to its group.")
@click.option("--date-column", help="Column with dates, for the two options below.")
@click.option(
    "--over-time",
    type=click.Path(path_type=Path),
    help="File with the share of each group per period: .csv, .jsonl or .parquet; .svg draws it.",
)
@click.option(
    "--topics-over-time",
    type=click.Path(path_type=Path),
    help="The same for the topics of the model.",
)
@click.option(
    "--period",
    type=click.Choice(["day", "week", "month", "quarter", "year"]),
    help="Length of a period [default: by the range of the dates].",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same groups.")
@jobs_option
@json_option
@click.pass_obj
def command(
    messages: Messages, /, inputs: tuple[str, ...], output: Path, as_json: bool, **options: Any
) -> None:
    """Sort documents into named groups.

    Groups are learned from a sample and all documents are assigned, so that the input may be
    larger than memory. All columns of the rows are kept; new columns have the group, its name,
    the wider group and how well the document fits. Outliers have no group.

    \b
    Examples:
      psif group tickets.csv -o groups.parquet
      psif group tickets.csv -o groups.csv -n 12 --why
      psif group new.csv -o new_groups.csv --groups groups.groups
      psif group tickets.csv -o groups.csv --date-column created --over-time trends.csv
    """
    from psif.cli.grouping import GroupRun, print_groups

    run = GroupRun(inputs, output, read_options(options), messages, options)
    print_groups(run.run(), as_json=as_json)
