"""``psif eval``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from psif.cli.assignments import parse_assignments, set_option
from psif.cli.messages import Messages
from psif.cli.options import jobs_option, json_option, workers_option
from psif.cli.printing import echo, print_json
from psif.errors import PsifError

if TYPE_CHECKING:
    from psif.evaluation.runner.results import Report


@click.command(name="eval")
@click.argument("tasks", nargs=-1, metavar="[TASK]...")
@click.option(
    "-m",
    "--method",
    "methods",
    default="psif",
    show_default=True,
    help="Methods, with commas between them.",
)
@click.option(
    "-p",
    "--protocol",
    "protocols",
    default="inductive",
    show_default=True,
    help="inductive (formerly honest), paper, or both with a comma between them.",
)
@click.option("--vectors", help="Word vectors: a file, a folder, or a trainer's name.")
@click.option(
    "--measure",
    "measures",
    default="classification",
    show_default=True,
    help="For documents with classes: classification, retrieval, clustering.",
)
@set_option("A setting of the methods, e.g. --set n_dims=512.")
@click.option("--per-class", is_flag=True, help="Also precision, recall and F1 of every class.")
@click.option("--list", "list_tasks", is_flag=True, help="List tasks and groups.")
@click.option("--list-methods", is_flag=True, help="List methods.")
@click.option("--train", type=click.Path(path_type=Path), help="Labelled documents of your own.")
@click.option("--test", type=click.Path(path_type=Path), help="Documents to test on [folds].")
@click.option("--corpus", type=click.Path(path_type=Path), help="Documents of your own to search.")
@click.option("--queries", type=click.Path(path_type=Path), help="Their queries.")
@click.option(
    "--qrels", type=click.Path(path_type=Path), help="Judgements: query, document, number."
)
@click.option("--text-column", help="Column with the text [default: text].")
@click.option("--label-column", default="label", show_default=True, help="Column with the class.")
@click.option(
    "--splits",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="How often to draw the splits that are not fixed.",
)
@click.option("--sample", type=click.IntRange(min=20), help="Use this many documents per split.")
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for finished results, so that an interrupted run can continue.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of every random choice.")
@workers_option
@jobs_option
@json_option
@click.pass_obj
def command(messages: Messages, /, tasks: tuple[str, ...], **options: Any) -> None:
    """Score methods on tasks, beside the published numbers.

    A TASK is a name or a group (sts, wmd, search, all). Data is read from the folder that
    PSIF_DATA names. Exit code 1 when a task failed; the others are scored all the same.

    \b
    Examples:
      psif eval --list
      psif eval bbcsport r8 --method psif,sif,tfidf
      psif eval sts --vectors glove.txt --protocol inductive,paper
      psif eval r8 --set n_topics=10
      psif eval --train reviews.csv --label-column stars --method psif,tfidf
      psif eval search --method bm25,bm25-stemmed,hybrid
      psif eval --corpus corpus.jsonl --queries queries.jsonl --qrels test.tsv --method hybrid
    """
    if options["list_tasks"] or options["list_methods"]:
        _list(options)
        return
    from psif.evaluation import run
    from psif.evaluation.tasks.base import Task

    chosen: list[str | Task] = list(tasks)
    if options["train"] is not None:
        from psif.evaluation import labelled_files

        chosen.append(
            labelled_files(
                options["train"],
                options["test"],
                text_column=options["text_column"],
                label_column=options["label_column"],
            )
        )
    elif options["test"] is not None:
        raise click.UsageError("--test needs --train.")
    collection = [options[name] for name in ("corpus", "queries", "qrels")]
    if any(path is not None for path in collection):
        from psif.evaluation import collection_files

        if None in collection:
            raise click.UsageError("give --corpus, --queries and --qrels together.")
        chosen.append(collection_files(*collection))
    if not chosen:
        raise click.UsageError("name a TASK (psif eval --list shows them), or give --train FILE.")
    settings = {
        "methods": _names(options["methods"]),
        "protocols": _names(options["protocols"]),
        "vectors": options["vectors"],
        "options": parse_assignments(options["assignments"]),
        "measures": _names(options["measures"]),
        "per_class": options["per_class"],
        "n_splits": options["splits"],
        "sample": options["sample"],
        "cache": options["cache"],
        "random_state": options["seed"],
        "n_jobs": options["jobs"],
        "tell": messages.say,
    }
    if options["workers"] > 1 and len(chosen) == len(tasks):
        from psif.evaluation.runner.parallel import run_in_parallel

        report = run_in_parallel(tasks, n_workers=options["workers"], **settings)
    else:
        report = run(chosen, **settings)
    _print(report, messages, as_json=options["as_json"])
    if report.failures:
        places = "; ".join(f"{f.task}, {f.method}, {f.protocol}" for f in report.failures)
        raise PsifError(f"{len(report.failures)} could not be scored: {places}.")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _print(report: Report, messages: Messages, *, as_json: bool) -> None:
    for warning in report.warnings:
        messages.warn(warning)
    if as_json:
        print_json(report.to_list())
    else:
        from psif.evaluation.runner.table import result_table

        echo(result_table(report.results))
    for failure in report.failures:
        place = f"{failure.task}, {failure.method}, {failure.protocol}"
        messages.fail_part(f"{place}: {failure.reason}")


def _list(options: dict[str, Any]) -> None:
    rows: list[dict[str, str]] = []
    if options["list_tasks"]:
        from psif.evaluation.tasks import GROUPS, TASKS

        rows += [
            {"task": t.name, "title": t.title, "kind": t.kind, "source": t.source,
             "citation": t.citation}
            for t in TASKS.values()
        ]  # fmt: skip
        if not options["as_json"]:
            rows += [
                {"task": name, "title": f"group: {', '.join(members)}"}
                for name, members in GROUPS.items()
                if name != "all"
            ]
            rows.append({"task": "all", "title": "group: all tasks but search"})
    if options["list_methods"]:
        from psif.baselines import METHODS

        rows += [
            {"method": m.name, "title": m.description, "citation": m.citation}
            for m in METHODS.values()
        ]
    if options["as_json"]:
        print_json(rows)
        return
    names = [row.get("task") or row["method"] for row in rows]
    width = max(map(len, names))
    for name, row in zip(names, rows, strict=True):
        source = f"  [{row['source']}]" if "source" in row else ""
        echo(f"{name:<{width}}  {row['title']}{source}")
