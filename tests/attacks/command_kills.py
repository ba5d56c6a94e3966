"""Kill commands at every file operation: models, classifiers, labels, indexes, groups, exports.

The folder holds what an earlier run on other documents wrote. Whatever the place of the kill:

- the documents and files that are not psif's are untouched;
- each output is that of the earlier run or the new one, whole;
- the same command succeeds afterwards, gives the bytes of an unbroken run, and leaves nothing else.

``python -m tests.attacks.command_kills --only train --points 40`` prints the result as JSON.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tests.attacks.forked import KILLED, contents, psif_command, run, warm
from tests.attacks.kills import make_docs

SMALL = ["-k", "2", "--set", "dim=4", "--set", "min_count=1"]
MODEL = ["fit", "docs.jsonl", "-o", "model", *SMALL]
COMPACT = [*MODEL, "--dims", "3", "--set", "word_columns=0"]
CLASSIFIER = ["train", "docs.jsonl", "-o", "clf", "--no-report", "--set", "dim=4"]
VECTORS = ["embed", "docs.jsonl", "-o", "vec.npz", "--model", "model"]
TABLE = ["vectors", "train", "docs.jsonl", "-o", "table", "--dim", "4", "--min-count", "1"]
PREDICT = ["predict", "clf", "docs.jsonl", "-o"]


@dataclass(frozen=True)
class Case:
    """A command, and how to look at what it writes.

    Attributes
    ----------
    args : list of str
    needs : tuple of list of str
        Commands before it.
    again : tuple of str
        Options of the next run.
    state : callable or None
        What a reader finds, for outputs whose bytes may differ.
    exact : bool
        Whether all bytes are the same in every run.
    fresh : bool
        Whether there is no earlier output.
    companion : str
        A file that may be missing for a moment, but never is another run's.
    package : str
        What the command needs.
    """

    args: list[str]
    needs: tuple[list[str], ...] = ()
    again: tuple[str, ...] = ()
    state: Callable[[Path], object] | None = None
    exact: bool = True
    fresh: bool = False
    companion: str = ""
    package: str = ""


def _index_ids(folder):
    """Ids of an index as a reader finds them: its folder may hold parts that are no longer used."""
    from psif import Index

    return sorted(Index.load(folder / "out").ids())


def _duckdb_ids(folder):
    import duckdb

    if not (folder / "out.db").exists():
        return None
    with duckdb.connect(str(folder / "out.db"), read_only=True) as connection:
        return sorted(row[0] for row in connection.execute("SELECT id FROM documents").fetchall())


def _sqlite_ids(folder):
    import apsw
    import sqlite_vec

    if not (folder / "out.db").exists():
        return None
    with contextlib.closing(apsw.Connection(str(folder / "out.db"))) as connection:
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        return sorted(row[0] for row in connection.execute("SELECT id FROM documents"))


def _usearch_rows(folder):
    from usearch.index import Index

    index = Index.restore(str(folder / "out"))
    return [index[key].tobytes() for key in range(len(index))]


def _export(store, output, **options):
    args = ["export", "vec.npz", "--to", store, "-o", output, "--batch", "8", *options.pop("more")]
    return Case(args, (MODEL, VECTORS), package=store.partition("-")[0], **options)


COMMANDS = {
    "fit": Case(["fit", "docs.jsonl", "-o", "out", *SMALL]),
    "vectors": Case(["vectors", "train", "docs.jsonl", "-o", "out", *TABLE[5:]]),
    "vectors-convert": Case(["vectors", "convert", "table", "out"], (TABLE,)),
    "convert": Case(["convert", "model", "--to", "model2vec", "-o", "out"], (COMPACT,)),
    "train": Case(["train", "docs.jsonl", "-o", "out", *CLASSIFIER[4:]]),
    "index": Case(
        ["index", "docs.jsonl", "-o", "out", "--model", "model"], (MODEL,), state=_index_ids
    ),
    "group": Case(
        [
            *("group", "docs.jsonl", "-o", "out.csv", "-n", "2", "--model", "model"),
            *("--date-column", "date", "--over-time", "out-time.csv"),
        ],
        (MODEL,),
    ),
    "dedupe": Case(["dedupe", "docs.jsonl", "-o", "out.jsonl", "--report", "out-copies.csv"]),
    "predict-csv": Case([*PREDICT, "out.csv", "--top", "2"], (CLASSIFIER,), ("--resume",)),
    "predict-jsonl": Case([*PREDICT, "out.jsonl", "--why"], (CLASSIFIER,), ("--resume",)),
    "predict-parquet": Case([*PREDICT, "out.parquet", "--proba"], (CLASSIFIER,)),
    "explore": Case(
        ["explore", "model", "vec.npz", "--texts", "docs.jsonl", "--export", "out.html"],
        (MODEL, VECTORS),
    ),
    "export-bulk": _export("elasticsearch-bulk", "out", more=["--replace"]),
    "export-faiss": _export("faiss", "out", more=["--replace"], companion="out.jsonl"),
    "export-usearch": _export(
        "usearch", "out", more=["--replace"], companion="out.jsonl",
        state=_usearch_rows, exact=False,
    ),
    "export-duckdb": _export(
        "duckdb", "out.db", more=[], again=("--resume",), fresh=True, exact=False,
        state=_duckdb_ids,
    ),
    "export-sqlite": _export(
        "sqlite-vec", "out.db", more=[], again=("--resume",), fresh=True, exact=False,
        state=_sqlite_ids,
    ),
}  # fmt: skip
_PACKAGES = {"elasticsearch": "json", "sqlite": "sqlite_vec", "": "json"}


def installed(name):
    """Whether a command has the package that it needs."""
    package = COMMANDS[name].package
    return find_spec(_PACKAGES.get(package, package)) is not None


def attack(name, points=None, seed=0):
    """Try kill points of one command; all of them, or a random choice.

    Returns
    -------
    tried : int
    failures : list of str
    """
    case = COMMANDS[name]
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve()
        start = _prepare(root, case)
        whole = shutil.copytree(start, root / "whole")
        code, n_operations = run(psif_command(whole, case.args), whole)
        assert code == 0, (root / "log.txt").read_text()
        before, after = contents(start), contents(whole)
        assert before != after
        assert case.state or before.keys() == after.keys()
        states = [case.state(folder) for folder in (start, whole)] if case.state else []
        places = list(range(1, n_operations + 1))
        if points is not None and points < len(places):
            places = sorted(random.Random(seed).sample(places, points))
        failures = []
        for number in places:
            problem = _one(root, start, case, number, (before, after), states)
            if problem:
                failures.append(f"{name}, operation {number} of {n_operations}: {problem}")
        return len(places), failures


def _prepare(root, case):
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
        for command in [*case.needs, *([case.args] if seed == 1 else [])]:
            if seed == 1:
                warm(start, command)
            code, _ = run(psif_command(start, command), start)
            assert code == 0, (root / "log.txt").read_text()
    for path in start.glob("out*") if case.fresh else ():
        path.unlink()
    return start


def _one(root, start, case, number, contents_of, states):
    before, after = contents_of
    folder = root / "try"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(start, folder)
    code, _ = run(psif_command(folder, case.args), folder, die_at=number)
    if code != KILLED:
        return f"exit code {code} instead of a kill"
    found = {k: data for k, data in contents(folder).items() if not _is_unfinished(k)}
    outputs = {name.partition("/")[0] for name in found.keys() | before.keys()}
    for output in outputs - ({"out", "out.db"} if case.state else set()):
        allowed = [_of(output, files) for files in (before, after)]
        if output == case.companion:
            allowed.append({})
        if _of(output, found) not in allowed:
            return f"neither the old nor the new output: {output}"
    if case.companion and _mixed(case.companion, found, before):
        return f"{case.companion} is of another run"
    if case.state and case.state(folder) not in states:
        return "a reader finds neither the old nor the new state"
    code, _ = run(psif_command(folder, [*case.args, *case.again]), folder)
    if code != 0:
        return f"the next run failed: {(root / 'log.txt').read_text().strip()[-300:]}"
    last = contents(folder)
    if not case.exact:
        same = last.keys() == after.keys() and case.state(folder) == states[1]
    else:
        same = _parts(last) == _parts(after)
    if not same:
        names = sorted(k for k in last.keys() | after.keys() if last.get(k) != after.get(k))
        return f"after the next run these files differ: {names}"
    return None


def _mixed(companion, found, before):
    """Whether the main output is of one run and the file beside it of the other."""
    main = companion.partition(".")[0]
    is_old = [found.get(name) == before.get(name) for name in (main, companion)]
    return companion in found and is_old[0] != is_old[1]


def _of(output, files):
    return {name: data for name, data in files.items() if name.partition("/")[0] == output}


def _parts(files):
    """Contents without the random names of an index's parts, and without the list of them."""
    return sorted(
        (re.sub(r"^(out/[a-z]+)-[0-9a-f]{12}\b", r"\1", name), data)
        for name, data in files.items()
        if name != "out/manifest.json"
    )


def _is_unfinished(name):
    """Whether a file lies where psif keeps what is not finished yet."""
    first = name.partition("/")[0]
    return first.startswith(".") or first.endswith(".part")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default=",".join(filter(installed, COMMANDS)))
    parser.add_argument("--points", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tried, failures = 0, []
    for name in options.only.split(","):
        n, found = attack(name, options.points, options.seed)
        tried, failures = tried + n, failures + found
    print(json.dumps({"tried": tried, "failures": failures}))


if __name__ == "__main__":
    main()
