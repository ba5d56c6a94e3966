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


@click.command(name="bench")
@click.option("--quick", is_flag=True, help="A few minutes on a part of the documents.")
@click.option(
    "-o",
    "--output",
    default="psif-bench",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the report: bench.md, bench.html, bench.json, pictures.",
)
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of finished measurements; a run goes on from it [default: OUTPUT/measured].",
)
@click.option("--only", default="", help="Peers, kinds or measurements, with commas between them.")
@click.option("--costly", is_flag=True, help="Also what takes many minutes, once.")
@click.option("--again", is_flag=True, help="Measure even what is known.")
@click.option(
    "--compare",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="A bench.json; warn of every ratio that is 25 % worse, and end with code 3.",
)
@click.option("--list", "list_jobs", is_flag=True, help="List the measurements.")
@click.option("--tiny", is_flag=True, hidden=True)
@json_option
def command(**options: Any) -> None:
    r"""Measure P-SIF beside the packages that you could pick instead.

    Speed, memory, start-up and accuracy, on the same documents and cores, each in a process of
    its own. The documents are 20 Newsgroups where PSIF_DATA has them, else the documentation
    strings of the standard library. Peers that are not installed are skipped:
    make bench installs them.

    \b
    Examples:
      python -m benchmarks --quick
      python -m benchmarks --quick --only psif,model2vec
      python -m benchmarks --quick --compare bench.json

    Exit code 3: --compare found a ratio at least 25 % worse.
    """
    messages = Messages(level=1)
    size = "tiny" if options["tiny"] else "quick" if options["quick"] else "full"
    if options["list_jobs"]:
        _list(size)
        return
    from benchmarks.bench import run_bench
    from benchmarks.guard import check_comparable, read_committed, regressions
    from benchmarks.report.pages import write_report

    compare = options["compare"]
    committed = None if compare is None else read_committed(compare)
    output = options["output"]
    only = [word.strip() for word in options["only"].split(",") if word.strip()]
    run = run_bench(
        size,
        cache=options["cache"] or output / "measured",
        only=only,
        costly=options["costly"],
        again=options["again"],
        command=_as_typed(size, options),
        tell=messages.say,
    )
    paths = write_report(run, output)
    for name, reason in run["failed"].items():
        messages.warn(f"{name} failed: {reason}")
    if options["as_json"]:
        click.echo(json.dumps(run))
    else:
        _print(run)
        for path in paths:
            click.echo(path)
    if committed is not None:
        check_comparable(committed, run, compare)
        fallen = regressions(committed["ratios"], run["ratios"])
        for found in fallen:
            messages.warn(found.message)
        if fallen:
            raise click.exceptions.Exit(WORSE)


def _as_typed(size: str, options: dict[str, Any]) -> str:
    words = ["python -m benchmarks", *([] if size == "full" else [f"--{size}"])]
    words += ["--costly"] if options["costly"] else []
    return " ".join([*words, *([f"--only {options['only']}"] if options["only"] else [])])


def _print(run: dict[str, Any]) -> None:
    """Print what we want to reach, and how far it is."""
    marks = {True: "yes", False: "no", None: "–"}
    for claim in run["claims"]:
        click.echo(f"{claim['text']} ({claim['bar']}): {claim['measured']} [{marks[claim['met']]}]")


def _list(size: str) -> None:
    from benchmarks.plan import make_plan
    from benchmarks.sizes import SIZES
    from psif.runtime.threads import resolve_jobs

    for job in make_plan(SIZES[size], resolve_jobs(None)):
        note = f"skipped: {job.skip}" if job.skip else "only with --costly" if job.costly else ""
        click.echo(f"{job.name:<34}  {note}".rstrip())


if __name__ == "__main__":
    try:
        command(prog_name="python -m benchmarks")
    except PsifError as error:
        sys.exit(f"Error: {error}")
