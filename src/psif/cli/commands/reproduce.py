"""``psif reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from psif.cli.messages import Messages
from psif.cli.options import jobs_option, workers_option
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
    help="Methods, with commas between them [default: those of each table that take minutes].",
)
@click.option("--vectors", help="Word vectors: a file, a folder, or a trainer's name.")
@click.option(
    "--sentence-vectors",
    help="The same, only for tasks of single sentences; the others train theirs as the paper does.",
)
@click.option(
    "--splits",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="Times to split anew the sets whose split is not fixed.",
)
@workers_option
@click.option(
    "--report-only",
    is_flag=True,
    help="Score nothing: write the pages from what the folder has, also while another run goes on.",
)
@click.option(
    "--plan", is_flag=True, help="Only print what would be scored and how long it may take."
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
    """Score again what the paper's tables hold.

    Each number is set beside ours under the protocols paper and inductive, with the difference. All
    tables take more than an hour; each result is kept in the folder as soon as it is there, and a
    run that is interrupted goes on.

    \b
    Examples:
      psif reproduce --list
      psif reproduce --plan -o tables
      psif reproduce -o tables --workers 2 --sentence-vectors glove.txt
      psif reproduce word-mover -o tables
      psif reproduce similarity recent -o tables --sentence-vectors glove.txt
    """  # fmt: skip
    from psif.evaluation.paper.pages import write_pages
    from psif.evaluation.paper.reproduction import reproduce

    methods = _names(options["methods"])
    if options["plan"]:
        _plan(tables, methods, options["splits"])
        return
    settings = {
        "cache": options["output"] / "results",
        "vectors": options["vectors"],
        "general_vectors": options["sentence_vectors"],
        "n_splits": options["splits"],
        "sample": options["sample"],
        "random_state": options["seed"],
        "tell": messages.say,
    }
    if options["workers"] > 1 and not options["report_only"]:
        from psif.evaluation.runner.processes import reproduce_side_by_side

        done = reproduce_side_by_side(tables, methods, n_workers=options["workers"], **settings)
    else:
        done = reproduce(
            tables,
            methods,
            n_jobs=options["jobs"],
            only_known=options["report_only"],
            **settings,
        )
    for warning in done.warnings:
        messages.warn(warning)
    for path in write_pages(done, done.figures(), options["output"], _as_typed(tables, options)):
        click.echo(path)
    if done.missing:
        messages.say(f"{len(done.missing)} are not scored yet; the pages name them.")
    if done.failures:
        places = "; ".join(f"{f.task}, {f.method}, {f.protocol}: {f.reason}" for f in done.failures)
        raise PsifError(f"{len(done.failures)} could not be scored: {places}")


def _as_typed(tables: tuple[str, ...], options: dict[str, Any]) -> str:
    """Return the command that makes the same numbers; files by their names alone."""
    words = ["psif reproduce", *tables, f"-o {options['output'].name}"]
    words += [f"--method {options['methods']}"] if options["methods"] else []
    for name in ("vectors", "sentence_vectors"):
        if options[name]:
            words.append(f"--{name.replace('_', '-')} {Path(options[name]).name}")
    words.append(f"--splits {options['splits']}")
    words += [f"--sample {options['sample']}"] if options["sample"] else []
    words += [f"--seed {options['seed']}"] if options["seed"] else []
    return " ".join([*words, f"--workers {options['workers']}"])


def _names(text: str | None) -> list[str] | None:
    if text is None:
        return None
    return [name.strip() for name in text.split(",") if name.strip()]


def _plan(tables: tuple[str, ...], methods: list[str] | None, n_splits: int) -> None:
    from psif.evaluation.paper.reproduction import planned

    jobs = planned(tables, methods, n_splits)
    for job, seconds in jobs:
        click.echo(f"{seconds:6.0f} s  {job}")
    click.echo(f"{sum(seconds for _, seconds in jobs) / 60:6.0f} min in all, by rough guess")


def _list(ctx: click.Context) -> None:
    from psif.evaluation.paper.reproduction import TABLES

    width = max(map(len, TABLES))
    for table in TABLES.values():
        click.echo(f"{table.name:<{width}}  {table.title} ({', '.join(table.tasks)})")
    ctx.exit()
