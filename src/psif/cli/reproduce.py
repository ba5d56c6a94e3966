"""``psif reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from psif.cli.messages import Messages
from psif.cli.options import jobs_option
from psif.errors import PsifError


@click.command(name="reproduce")
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for tables.md, tables.html and the results.",
)
@click.option(
    "-m",
    "--method",
    "methods",
    default="psif,sif",
    show_default=True,
    help="Methods, with commas between them; the figure by length wants sif among them.",
)
@click.option("--vectors", help="Word vectors: a file, a folder, or a trainer's name.")
@click.option(
    "--splits",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Times to split anew the sets whose split is not fixed.",
)
@click.option("--sample", type=click.IntRange(min=20), help="Use this many documents a split.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of every random choice.")
@click.option(
    "--list",
    "list_tables",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, value: _list(ctx) if value else None,
    help="List the tables.",
)
@jobs_option
@click.pass_obj
def command(messages: Messages, /, tables: tuple[str, ...], **options: Any) -> None:
    r"""Score again what the paper's tables hold.

    Each number is set beside ours under the protocols paper and honest, with the difference. All
    tables take hours; results are kept in the folder, and a run that is interrupted goes on.

    \b
    Examples:
      psif reproduce --list
      psif reproduce word-mover -o tables
      psif reproduce similarity recent -o tables --vectors glove.txt
    """  # fmt: skip
    from psif.evaluation.reproduction import reproduce
    from psif.evaluation.reproduction_pages import write_pages

    done = reproduce(
        tables,
        [name.strip() for name in options["methods"].split(",") if name.strip()],
        cache=options["output"] / "results",
        vectors=options["vectors"],
        n_splits=options["splits"],
        sample=options["sample"],
        random_state=options["seed"],
        n_jobs=options["jobs"],
        tell=messages.say,
    )
    for warning in done.warnings:
        messages.warn(warning)
    for path in write_pages(done, done.bars(), options["output"]):
        click.echo(path)
    if done.failures:
        places = "; ".join(f"{f.task}, {f.method}, {f.protocol}: {f.reason}" for f in done.failures)
        raise PsifError(f"{len(done.failures)} could not be scored: {places}")


def _list(ctx: click.Context) -> None:
    from psif.evaluation.reproduction import TABLES

    width = max(map(len, TABLES))
    for table in TABLES.values():
        click.echo(f"{table.name:<{width}}  {table.title} ({', '.join(table.tasks)})")
    ctx.exit()
