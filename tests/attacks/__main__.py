"""Run every attack at length and write its figures: ``python -m tests.attacks -o results``.

An attack is a function that takes a number of attempts and a seed and returns how many it made and
a list of what went wrong. The fast part of each runs in the test suite.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from psif.files.writers import FORMATS
from psif.runtime.atomic import atomic_path
from psif.runtime.provenance import described, environment
from tests.attacks.command_kills import COMMANDS, installed

Row = tuple[str, int, int, float]  # title, attempts, failures, seconds


@dataclass(frozen=True)
class Attack:
    """One kind of attack: a module of this package with a function ``attack(count, seed)``."""

    title: str
    module: str
    count: int
    options: tuple[str, ...] = ()


ATTACKS = [
    Attack("models with damaged or forged files", "model_files", 3_000),
    Attack("vector files with damaged bytes", "vector_files", 8_000),
    Attack("documents with damaged bytes, every reader", "readers", 6_000),
    Attack("search indexes with damaged or forged files", "index_files", 600),
    Attack("classifiers with damaged or forged files", "classifier_files", 600),
    Attack("forged content with right checksums, every reader", "targets", 3_000),
    Attack("hostile requests to the explorer", "explorer_requests", 2_000),
    Attack("hostile requests to psif serve", "server_requests", 2_000),
    Attack("random corpora and settings against the slow twins", "random_corpora", 300),
    Attack("faults of a Dask cluster", "cluster_faults", 20),
]
# ``count`` is the most places to try; most commands have fewer operations, and all are tried.
KILLS = [
    *(
        Attack(f"kills at every file operation of psif embed, {e}", "kills", 250, ("--format", e))
        for e in FORMATS
    ),
    *(
        Attack(f"kills at file operations of psif {name}", "command_kills", 120, ("--only", name))
        for name in filter(installed, COMMANDS)
    ),
    Attack("kills at file operations of a writer of an index", "index_kills", 400),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=Path("results"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float, default=1.0, help="Part of the attempts to make.")
    parser.add_argument(
        "--only", default="", help="Modules, with commas between them; figures of the others stay."
    )
    parser.add_argument("--minutes", type=float, default=15.0, help="What is slower, has failed.")
    parser.add_argument("--module", help="Make the attempts of one module, for the run above.")
    options = parser.parse_args()
    if options.module:
        module = import_module(f"tests.attacks.{options.module}")
        tried, failures = module.attack(int(options.share), options.seed)
        print(json.dumps({"tried": tried, "failures": failures}))
        return
    only = set(filter(None, options.only.split(",")))
    chosen = [attack for attack in ATTACKS + KILLS if not only or attack.module in only]
    end = time.monotonic() + 60 * options.minutes
    with ThreadPoolExecutor(2) as two:
        # The kills first: they take longest.
        ordered = sorted(chosen, key=lambda attack: attack in ATTACKS)
        running = {two.submit(_run, attack, options, end): attack for attack in ordered}
        rows: list[Row] = []
        failures: list[str] = []
        for done in as_completed(running):
            attack = running[done]
            tried, found, seconds = done.result()
            print(
                f"{attack.title}: {tried:,} tried, {len(found)} failed, {seconds:.0f} s", flush=True
            )
            for failure in found[:20]:
                print(f"  {failure}", flush=True)
            rows.append((attack.title, tried, len(found), seconds))
            failures += found
    path = options.output / "attacks.md"
    rows += _other_rows(path, {row[0] for row in rows}) if only else []
    titles = [attack.title for attack in ATTACKS + KILLS]
    _write(path, sorted(rows, key=lambda row: titles.index(row[0])), options)
    sys.exit(1 if failures else 0)


def _run(attack: Attack, options: argparse.Namespace, end: float) -> tuple[int, list[str], float]:
    """Run an attack in a process of its own: one that is killed or never ends has failed."""
    began = time.monotonic()
    count = max(1, round(options.share * attack.count))
    if attack in KILLS:
        # Forked children want a process without threads.
        more = [f"tests.attacks.{attack.module}", *attack.options, "--points", str(count)]
    else:
        more = ["tests.attacks", "--module", attack.module, "--share", str(count)]
    command = [sys.executable, "-m", *more, "--seed", str(options.seed)]
    # A group of its own, so that its children can be ended with it.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            out, errors = process.communicate(timeout=max(1.0, end - began))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            found = [f"not finished in {options.minutes:g} minutes"]
            return 1, found, time.monotonic() - began
    if process.returncode:
        return 1, [f"ended with {process.returncode}: {errors[-2000:]}"], time.monotonic() - began
    result = json.loads(out)
    return result["tried"], result["failures"], time.monotonic() - began


def _other_rows(path: Path, again: set[str]) -> list[Row]:
    """Figures of an earlier run, of attacks that were not made this time."""
    known = {attack.title for attack in ATTACKS + KILLS} - again
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return [
        (row[0], int(row[1].replace(",", "")), int(row[3]), float(row[4]))
        for row in cells
        if len(row) == 5 and row[0] in known
    ]


def _write(path: Path, rows: list[Row], options: argparse.Namespace) -> None:
    tried, failed = sum(row[1] for row in rows), sum(row[2] for row in rows)
    lines = [
        "# Attacks",
        "",
        f"`make attack`: {tried:,} tried, {tried - failed:,} survived, {failed} failed "
        f"(seed {options.seed}). {described(environment())}.",
        "",
        "To survive means: no data lost, no foreign file touched, no silent change, no hang, and",
        "no exception but psif's own, which names the file.",
        "",
        "| attack | tried | survived | failed | seconds |",
        "|---|---:|---:|---:|---:|",
    ]
    for title, count, lost, seconds in rows:
        lines.append(f"| {title} | {count:,} | {count - lost:,} | {lost} | {seconds:.0f} |")
    with atomic_path(path) as part:
        part.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
