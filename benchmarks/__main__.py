"""``python -m benchmarks``: measure psif beside its peers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from psif.cli.messages import Messages
from psif.cli.options import json_option
from psif.errors import PsifError

# A ratio became worse than the committed one.
WORSE = 3


@click.command(name="benchmarks")
@click.option("--quick", is_flag=True, help="Several minutes, on a part of the documents.")
@click.option(
    "-o",
    "--output",
    default="psif-bench",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the report: bench.md, bench.html, bench.json and pictures.",
)
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of finished measurements, to resume from [default: OUTPUT/measured].",
)
@click.option("--only", default="", help="Measurements, groups or peers, separated by commas.")
@click.option("--costly", is_flag=True, help="Also run what takes many minutes.")
@click.option("--again", is_flag=True, help="Measure even what is in the cache.")
@click.option(
    "--compare",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="A bench.json; warn about every ratio that is 25 % worse, and exit with code 3.",
)
@click.option(
    "--report",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="A bench.json; write its report again and measure nothing.",
)
@click.option(
    "--list", "list_jobs", is_flag=True, help="List the measurements, or those that --only selects."
)
@click.option("--tiny", is_flag=True, hidden=True)
@json_option
def command(**options: Any) -> None:
    r"""Measure P-SIF beside the packages that you could use instead.

    Speed, memory, start-up and accuracy on the same documents and cores, each measurement in a
    process of its own. The documents are 20 Newsgroups if PSIF_DATA has them, otherwise the
    docstrings of the standard library. Peers that are not installed are skipped; `make bench`
    installs them.

    What a run does not measure is kept from the bench.json in the output folder, with its date.

    \b
    Examples:
      python -m benchmarks --quick
      python -m benchmarks --quick --only psif,model2vec
      python -m benchmarks --quick --compare results/bench-quick.json

    Exit code 3: --compare found a ratio that is at least 25 % worse.
    """
    messages = Messages(level=1)
    size = "tiny" if options["tiny"] else "quick" if options["quick"] else "full"
    if options["list_jobs"]:
        _list(size, options)
        return
    from benchmarks.report.pages import write_report
    from benchmarks.results import read_run

    compare, output = options["compare"], options["output"]
    committed = None if compare is None else read_run(compare)
    if options["report"] is not None:
        run = read_run(options["report"])
    else:
        run = _measure(size, options, messages)
    paths = write_report(run, output)
    for name, reason in run.failed.items():
        messages.warn(f"{name} failed: {reason}")
    if options["as_json"]:
        click.echo(json.dumps(run.to_dict()))
    else:
        _print_targets(run)
        for path in paths:
            click.echo(path)
    if committed is not None:
        _compare(committed, run, compare, messages)


def _measure(size: str, options: dict[str, Any], messages: Messages) -> Any:
    from benchmarks.results import read_run
    from benchmarks.suite import run_suite

    output = options["output"]
    before = output / "bench.json"
    return run_suite(
        size,
        cache=options["cache"] or output / "measured",
        only=_words(options),
        costly=options["costly"],
        again=options["again"],
        earlier=read_run(before) if before.exists() else None,
        command=_as_typed(size, options),
        tell=messages.say,
    )


def _words(options: dict[str, Any]) -> list[str]:
    return [word.strip() for word in options["only"].split(",") if word.strip()]


def _as_typed(size: str, options: dict[str, Any]) -> str:
    words = ["python -m benchmarks", *([] if size == "full" else [f"--{size}"])]
    words += ["--costly"] if options["costly"] else []
    return " ".join([*words, *([f"--only {options['only']}"] if options["only"] else [])])


def _print_targets(run: Any) -> None:
    from benchmarks.targets import targets

    marks = {True: "yes", False: "no", None: "–"}
    for found in targets(run.results, run.cores):
        click.echo(f"{found.text} ({found.bar}): {found.measured} [{marks[found.met]}]")


def _compare(before: Any, now: Any, path: Path, messages: Messages) -> None:
    from benchmarks.ratios import ratios
    from benchmarks.regressions import check_comparable, regressions

    check_comparable(before, now, path)
    known, found = (ratios(run.results, run.cores) for run in (before, now))
    fallen = regressions(known, found)
    for regression in fallen:
        messages.warn(regression.message)
    if fallen:
        raise click.exceptions.Exit(WORSE)


def _list(size: str, options: dict[str, Any]) -> None:
    from benchmarks.plan import make_plan
    from benchmarks.selection import choose
    from benchmarks.sizes import SIZES
    from psif.runtime.threads import resolve_jobs

    plan, only = make_plan(SIZES[size], resolve_jobs(None)), _words(options)
    for job in choose(plan, only, costly=options["costly"]) if only else plan:
        note = f"skipped: {job.skip}" if job.skip else "only with --costly" if job.costly else ""
        click.echo(f"{job.name:<34}  {note}".rstrip())


if __name__ == "__main__":
    try:
        command(prog_name="python -m benchmarks")
    except PsifError as error:
        sys.exit(f"Error: {error}")
