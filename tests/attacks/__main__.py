"""Run every attack at length and write its figures: ``python -m tests.attacks -o results``.

An attack is a function that takes a number of attempts and a seed and returns how many it made and
a list of what went wrong. The fast part of each runs in the test suite.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from psif.files.writers import FORMATS
from psif.runtime.atomic import atomic_path
from psif.runtime.provenance import described, environment


@dataclass(frozen=True)
class Attack:
    """One kind of attack: a module of this package with a function ``attack(count, seed)``."""

    title: str
    module: str
    count: int


ATTACKS = [
    Attack("models with damaged or forged files", "model_files", 3_000),
    Attack("vector files with damaged bytes", "vector_files", 8_000),
    Attack("documents with damaged bytes, every reader", "readers", 6_000),
    Attack("search indexes with damaged or forged files", "index_files", 600),
    Attack("classifiers with damaged or forged files", "classifier_files", 600),
    Attack("hostile requests to the explorer", "explorer_requests", 2_000),
    Attack("random corpora and settings against the slow twins", "random_corpora", 300),
    Attack("faults of a Dask cluster", "cluster_faults", 20),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=Path("results"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float, default=1.0, help="Part of the attempts to make.")
    parser.add_argument("--only", default="", help="Modules, with commas between them.")
    options = parser.parse_args()
    rows, failures = [], []
    for title, tried, found, seconds in _run(options):
        print(f"{title}: {tried:,} tried, {len(found)} failed, {seconds:.0f} s", flush=True)
        for failure in found[:20]:
            print(f"  {failure}", flush=True)
        rows.append((title, tried, len(found), seconds))
        failures += found
    _write(options.output / "attacks.md", rows, options)
    sys.exit(1 if failures else 0)


def _run(options: argparse.Namespace):
    only = set(filter(None, options.only.split(",")))
    for attack in ATTACKS:
        path = Path(__file__).with_name(f"{attack.module}.py")
        if not path.exists() or (only and attack.module not in only):
            continue
        began = time.monotonic()
        module = import_module(f"tests.attacks.{attack.module}")
        tried, found = module.attack(max(1, round(options.share * attack.count)), options.seed)
        yield attack.title, tried, found, time.monotonic() - began
    if only and "kills" not in only:
        return
    for ending in FORMATS:
        # Forked children want a process without threads.
        points = [] if options.share >= 1 else ["--points", str(round(120 * options.share) or 1)]
        command = [sys.executable, "-m", "tests.attacks.kills", "--format", ending, *points]
        began = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        result = json.loads(done.stdout)
        title = f"kills at every file operation of psif embed, {ending}"
        yield title, result["tried"], result["failures"], time.monotonic() - began


def _write(
    path: Path, rows: list[tuple[str, int, int, float]], options: argparse.Namespace
) -> None:
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
