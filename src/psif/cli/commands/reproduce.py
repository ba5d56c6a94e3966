"""``psif reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from psif.cli.messages import Messages
from psif.cli.options import jobs_option, workers_option
from psif.cli.printing import echo
from psif.errors import InputError, PsifError


@click.command(name="reproduce")
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the scores (CSV) and the pages tables.md and tables.html.",
)
@click.option(
    "-m",
    "--method",
    "methods",
    help="Methods, with commas between them [default: those of each table that take minutes].",
)
@click.option(
    "-p",
    "--protocol",
    "protocols",
    default="paper,inductive",
    show_default=True,
    help="Protocols, with commas between them.",
)
@click.option("--vectors", help="Word vectors: a file, a folder, or a trainer's name.")
@click.option(
    "--sentence-vectors",
    help="The same, only for tasks of single sentences; documents train theirs as the paper does.",
)
@click.option(
    "--splits",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="How often to draw the splits that are not fixed.",
)
@workers_option
@click.option(
    "--report-only",
    is_flag=True,
    help="Score nothing: write the pages from the scores in the folder.",
)
@click.option(
    "--plan",
    is_flag=True,
    help="Only print what would be scored, how long it may take, and what the folder has.",
)
@click.option("--sample", type=click.IntRange(min=20), help="Use this many documents per split.")
@click.option(
    "--seeds",
    type=click.IntRange(min=2),
    help="Score documents with this many seeds instead, and test the differences in pairs.",
)
@click.option("--task", "tasks", help="Only these tasks of the tables, with commas between them.")
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
    """Score what the paper's tables hold, and set it beside the printed numbers.

    Our scores are made under the protocols paper and inductive. They are kept as CSV files in the
    folder, from which the pages are made. All tables take an hour or two; finished results
    are cached in the folder, so that an interrupted run can continue.

    \b
    Examples:
      psif reproduce --list
      psif reproduce --plan -o tables
      psif reproduce -o tables --workers 2 --sentence-vectors glove.txt
      psif reproduce word-mover -o tables
      psif reproduce similarity recent -o tables --sentence-vectors glove.txt
      psif reproduce -o tables --seeds 5 --task bbcsport,twitter --protocol inductive
    """  # fmt: skip
    from psif.evaluation.paper.pages import write_pages
    from psif.evaluation.paper.reproduction import from_scores, reproduce
    from psif.evaluation.paper.score_table import ScoreTable
    from psif.evaluation.paper.seed_table import read_seeds

    methods = _names(options["methods"]) if options["methods"] else None
    folder = options["output"]
    protocols = _names(options["protocols"])
    if options["plan"]:
        _plan(tables, methods, protocols, options["splits"], folder)
        return
    only = _names(options["tasks"]) if options["tasks"] else None
    if options["seeds"]:
        _score_seeds(messages, tables, methods, only, options)
    settings = {
        "folder": folder,
        "command": _as_typed(tables, options),
        "protocols": protocols,
        "vectors": options["vectors"],
        "general_vectors": options["sentence_vectors"],
        "n_splits": options["splits"],
        "sample": options["sample"],
        "random_state": options["seed"],
        "tell": messages.say,
    }
    if options["report_only"] or options["seeds"]:
        done = from_scores(ScoreTable.read(folder), tables, methods)
        if not done.runs and not options["seeds"]:
            raise InputError(f"{folder} has no scores; run without --report-only first.")
    elif options["workers"] > 1 and only is None:
        from psif.evaluation.runner.parallel import reproduce_in_parallel

        done = reproduce_in_parallel(tables, methods, n_workers=options["workers"], **settings)
    else:
        done = reproduce(tables, methods, n_jobs=options["jobs"], only_tasks=only, **settings)
    for warning in done.warnings:
        messages.warn(warning)
    done.seeds = read_seeds(folder)
    for path in write_pages(done, done.figures(), folder):
        echo(path)
    if done.missing:
        messages.say(f"{len(done.missing)} are still to be scored; the pages name them.")
    if done.failures:
        places = "; ".join(f"{f.task}, {f.method}, {f.protocol}: {f.reason}" for f in done.failures)
        raise PsifError(f"{len(done.failures)} could not be scored: {places}")


def _score_seeds(
    messages: Messages,
    tables: tuple[str, ...],
    methods: list[str] | None,
    only: list[str] | None,
    options: dict[str, Any],
) -> None:
    """Score the documents of the tables with several seeds."""
    from psif.evaluation.paper.paper_tables import find_tables
    from psif.evaluation.paper.reproduction import CACHE, tasks_of
    from psif.evaluation.paper.seed_table import METHODS, seed_rows, write_seeds
    from psif.evaluation.runner.parallel import seeds_in_parallel
    from psif.evaluation.runner.seeds import score_seeds
    from psif.runtime.provenance import environment

    folder, protocols = options["output"], _names(options["protocols"])
    methods = methods or list(METHODS)
    tasks = [
        task
        for task in tasks_of(find_tables(tables or ("newsgroups", "reuters", "word-mover")))
        if task.kind in ("classes", "labels") and (only is None or task.name in only)
    ]
    if options["workers"] > 1:
        scored = seeds_in_parallel(
            tasks, methods, options["seeds"], protocols=protocols, cache=folder / CACHE,
            n_workers=options["workers"],
        )  # fmt: skip
    else:
        scored = (
            (
                task,
                protocol,
                score_seeds(
                    task, methods, range(options["seeds"]), protocol=protocol,
                    cache=folder / CACHE, n_jobs=options["jobs"], tell=messages.say,
                ),
            )
            for task in tasks
            for protocol in protocols
        )  # fmt: skip
    for task, protocol, decisions in scored:
        write_seeds(folder, seed_rows(task.name, protocol, decisions, environment()["date"]))


def _as_typed(tables: tuple[str, ...], options: dict[str, Any]) -> str:
    """Return the command that makes the same scores; files by their names alone."""
    words = ["psif reproduce", *tables, f"-o {options['output'].name}"]
    words += [f"--method {options['methods']}"] if options["methods"] else []
    if options["protocols"] != "paper,inductive":
        words.append(f"--protocol {options['protocols']}")
    for name in ("vectors", "sentence_vectors"):
        if options[name]:
            words.append(f"--{name.replace('_', '-')} {Path(options[name]).name}")
    words.append(f"--splits {options['splits']}")
    words += [f"--sample {options['sample']}"] if options["sample"] else []
    words += [f"--seed {options['seed']}"] if options["seed"] else []
    return " ".join([*words, f"--workers {options['workers']}"])


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _plan(
    tables: tuple[str, ...],
    methods: list[str] | None,
    protocols: list[str],
    n_splits: int,
    folder: Path,
) -> None:
    from psif.evaluation.paper.reproduction import planned
    from psif.evaluation.paper.score_table import ScoreTable

    plan = planned(tables, methods, n_splits, ScoreTable.read(folder), protocols)
    for job, seconds, scored in plan:
        echo(f"{seconds:6.0f} s  {job}" + (f"  (scored {scored})" if scored else ""))
    left = [seconds for _, seconds, scored in plan if scored is None]
    total = sum(seconds for _, seconds, _ in plan)
    echo(
        f"{total / 60:6.0f} min in all, {sum(left) / 60:.0f} min for the {len(left)} that "
        f"{folder} does not have (rough estimates)"
    )


def _list(ctx: click.Context) -> None:
    from psif.evaluation.paper.paper_tables import TABLES

    width = max(map(len, TABLES))
    for table in TABLES.values():
        echo(f"{table.name:<{width}}  {table.title} ({', '.join(table.tasks)})")
    ctx.exit()
