"""Kill ``psif embed`` at every file operation, then resume it.

A child process is forked for every attempt and ends, without any clean-up, just before its n-th
operation on a file. The folder holds the output of an earlier run on other documents. Whatever
the place of the kill:

- the documents and files that are not psif's are untouched;
- a reader finds the old vectors with their old ids, the new ones with the new ids, or an error;
- ``--resume`` succeeds and ends with the bytes of an unbroken run, and nothing else is left.

``python -m tests.attacks.kills --format .npy --points 40`` prints the result as JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
from pathlib import Path

import numpy as np

from tests.attacks import forked
from tests.attacks.forked import KILLED, contents, psif_command, warm

SETTINGS = ["-k", "2", "--set", "dim=4", "--set", "min_count=1"]


def make_docs(n_docs, seed):
    rng = np.random.default_rng(seed)
    words = [f"word{i}" for i in range(60)]
    return [
        {"id": f"{seed}-{i}", "text": " ".join(rng.choice(words, 12).tolist())}
        for i in range(n_docs)
    ]


def run(folder, args, die_at=None):
    """Run psif in a forked child, with small batches; return its exit code and operations."""
    from psif.files import batches
    from psif.files.writers import job

    batches._MOST_ROWS = 15
    return forked.run(psif_command(folder, args), folder, die_at, [(job, "_write_all")])


def pairs(path):
    """Ids and rows as psif reads them, or None for a clear error."""
    from psif import PsifError
    from psif.files.vector_files import read_vectors

    try:
        blocks = list(read_vectors(path))
    except PsifError:
        return None
    return {key: row.tobytes() for ids, rows in blocks for key, row in zip(ids, rows, strict=True)}


def attack(ending, points=None, seed=0):
    """Try kill points of one format; all of them, or a random choice.

    Returns
    -------
    tried : int
    failures : list of str
    """
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        output = f"v{ending}"
        fit = ["embed", "docs.jsonl", "-o", output, *SETTINGS]
        start = _prepare(root, fit, output)
        whole = root / "whole"
        shutil.copytree(start, whole)
        code, n_operations = run(whole, fit)
        assert code == 0, (root / "log.txt").read_text()
        expected, old, new = contents(whole), pairs(start / output), pairs(whole / output)
        places = list(range(1, n_operations + 1))
        if points is not None and points < len(places):
            places = sorted(random.Random(seed).sample(places, points))
        failures = []
        for place in places:
            problem = _one(root, start, fit, output, place, expected, (old, new))
            if problem:
                failures.append(f"{ending}, operation {place} of {n_operations}: {problem}")
        return len(places), failures


def _prepare(root, fit, output):
    """Make a folder with the output of an earlier run on other documents, and a foreign file."""
    start = root / "start"
    start.mkdir()
    for seed in (1, 2):
        lines = "".join(json.dumps(doc) + "\n" for doc in make_docs(70, seed))
        (start / "docs.jsonl").write_text(lines)
        if seed == 1:
            warm(start, fit, [*fit, "--resume"])
            code, _ = run(start, fit)
            assert code == 0, (root / "log.txt").read_text()
    (start / "thesis.tex").write_text("years of work")
    return start


def _one(root, start, fit, output, place, expected, states):
    folder = root / "try"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(start, folder)
    code, _ = run(folder, fit, die_at=place)
    if code != KILLED:
        return f"exit code {code} instead of a kill"
    for name in ("docs.jsonl", "thesis.tex"):
        if (folder / name).read_bytes() != (start / name).read_bytes():
            return f"{name} was changed"
    found = pairs(folder / output)
    if found is not None and found not in states:
        return "a reader finds rows with ids of another run"
    code, _ = run(folder, [*fit, "--resume"])
    if code != 0:
        return f"--resume failed: {(root / 'log.txt').read_text().strip()[-300:]}"
    after = contents(folder)
    if after != expected:
        both = after.keys() | expected.keys()
        names = sorted(name for name in both if after.get(name) != expected.get(name))
        return f"after --resume these files differ: {names}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--format", default=".npy")
    parser.add_argument("--points", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tried, failures = attack(options.format, options.points, options.seed)
    print(json.dumps({"tried": tried, "failures": failures}))


if __name__ == "__main__":
    main()
