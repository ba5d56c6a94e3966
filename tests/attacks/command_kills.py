"""Kill commands at every file operation: models, classifiers, labels, indexes, groups, vectors.

The folder holds what an earlier run on other documents wrote. Whatever the place of the kill:

- the documents and files that are not psif's are untouched;
- each output is that of the earlier run or the new one, whole;
- the same command succeeds afterwards, gives the bytes of an unbroken run, and leaves nothing else.

``python -m tests.attacks.command_kills --only train --points 40`` prints the result as JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import tempfile
from pathlib import Path

from tests.attacks.forked import KILLED, contents, psif_command, run
from tests.attacks.kills import make_docs

SMALL = ["-k", "2", "--set", "dim=4", "--set", "min_count=1"]
COMMANDS = {
    "fit": ["fit", "docs.jsonl", "-o", "out", *SMALL],
    "vectors": ["vectors", "train", "docs.jsonl", "-o", "out", "--dim", "4", "--min-count", "1"],
    "train": ["train", "docs.jsonl", "-o", "out", "--no-report", "--set", "dim=4"],
    "index": ["index", "docs.jsonl", "-o", "out", "--model", "model"],
    "group": [
        *("group", "docs.jsonl", "-o", "out.csv", "-n", "2", "--model", "model"),
        *("--date-column", "date", "--over-time", "out-time.csv"),
    ],
    "dedupe": ["dedupe", "docs.jsonl", "-o", "out.jsonl", "--report", "out-copies.csv"],
    "predict-csv": ["predict", "clf", "docs.jsonl", "-o", "out.csv", "--top", "2"],
    "predict-jsonl": ["predict", "clf", "docs.jsonl", "-o", "out.jsonl", "--why"],
    "predict-parquet": ["predict", "clf", "docs.jsonl", "-o", "out.parquet", "--proba"],
}


def attack(name, points=None, seed=0):
    """Try kill points of one command; all of them, or a random choice.

    Returns
    -------
    tried : int
    failures : list of str
    """
    args = COMMANDS[name]
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve()
        start = _prepare(root, args)
        whole = shutil.copytree(start, root / "whole")
        code, n_operations = run(psif_command(whole, args), whole)
        assert code == 0, (root / "log.txt").read_text()
        before, after = contents(start), contents(whole)
        assert before != after
        assert name == "index" or before.keys() == after.keys()
        places = list(range(1, n_operations + 1))
        if points is not None and points < len(places):
            places = sorted(random.Random(seed).sample(places, points))
        failures = []
        for number in places:
            problem = _one(root, start, args, number, before, after)
            if problem:
                failures.append(f"{name}, operation {number} of {n_operations}: {problem}")
        return len(places), failures


def _prepare(root, args):
    start = root / "start"
    start.mkdir()
    (start / "thesis.tex").write_text("years of work")
    for seed in (1, 2):
        docs = make_docs(40, seed)
        for i, doc in enumerate(docs):
            doc["label"] = "ab"[i % 2]
            doc["text"] += (" apple pear", " brick stone")[i % 2]
            doc["date"] = f"2024-0{seed}-{10 + i // 2}"
        docs += [{**doc, "id": f"copy of {doc['id']}"} for doc in docs[:5]]
        (start / "docs.jsonl").write_text("".join(json.dumps(doc) + "\n" for doc in docs))
        if seed == 1:
            needed = {"predict": ("train", "clf"), "index": ("fit", "model")}
            needed["group"] = needed["index"]
            first, folder = needed.get(args[0], (None, None))
            for command in [*([COMMANDS[first]] if first else []), args]:
                code, _ = run(psif_command(start, command), start)
                assert code == 0, (root / "log.txt").read_text()
                if command is not args:
                    (start / "out").rename(start / folder)
    return start


def _one(root, start, args, number, before, after):
    folder = root / "try"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(start, folder)
    code, _ = run(psif_command(folder, args), folder, die_at=number)
    if code != KILLED:
        return f"exit code {code} instead of a kill"
    found = {k: data for k, data in contents(folder).items() if not _is_unfinished(k)}
    for output in {name.partition("/")[0] for name in found.keys() | before.keys()}:
        whole = [_of(output, files) for files in (before, after)]
        if _of(output, found) not in whole and not (args[0] == "index" and output == "out"):
            return f"neither the old nor the new output: {output}"
    if args[0] == "index" and _ids(folder / "out") not in [_ids(start / "out"), _new_ids(start)]:
        return "neither the old nor the new index"
    code, _ = run(psif_command(folder, args), folder)
    if code != 0:
        return f"the next run failed: {(root / 'log.txt').read_text().strip()[-300:]}"
    last = contents(folder)
    if _parts(last) != _parts(after):
        names = sorted(k for k in last.keys() | after.keys() if last.get(k) != after.get(k))
        return f"after the next run these files differ: {names}"
    return None


def _of(output, files):
    return {name: data for name, data in files.items() if name.partition("/")[0] == output}


def _parts(files):
    """Contents without the random names of an index's parts, and without the list of them."""
    return sorted(
        (re.sub(r"^(out/[a-z]+)-[0-9a-f]{12}\b", r"\1", name), data)
        for name, data in files.items()
        if name != "out/manifest.json"
    )


def _ids(index):
    """Ids of an index as a reader finds them: its folder may hold parts that are no longer used."""
    from psif import Index

    return sorted(Index.load(index).ids())


def _new_ids(start):
    lines = (start / "docs.jsonl").read_text().splitlines()
    return sorted(json.loads(line)["id"] for line in lines)


def _is_unfinished(name):
    """Whether a file lies where psif keeps what is not finished yet."""
    first = name.partition("/")[0]
    return first.startswith(".") or first.endswith(".part")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default=",".join(COMMANDS))
    parser.add_argument("--points", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    # Loaded once, so that the children start in a moment.

    tried, failures = 0, []
    for name in options.only.split(","):
        n, found = attack(name, options.points, options.seed)
        tried, failures = tried + n, failures + found
    print(json.dumps({"tried": tried, "failures": failures}))


if __name__ == "__main__":
    main()
