"""Kill a writer of an index at every file operation.

A child process is forked for every attempt and ends, without any clean-up, just before its n-th
operation on a file. Whatever the place of the kill, a reader finds the state before one of the
writer's saves or the state after it, never a mixture and never an error; and the next writer
succeeds and leaves nothing behind that does not belong to the index.

``python -m tests.attacks.index_kills`` tries every operation and prints the result as JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
from pathlib import Path

from psif import Index, PsifError
from psif.search import array_files
from tests.attacks import forked
from tests.attacks.forked import KILLED
from tests.search import collections


def change(index, step):
    """The changes that a writer makes, one save after each."""
    if step == 0:
        index.add(["a late ship n1", "a late plane n2"], ids=["x", "y"])
    elif step == 1:
        index.delete(["3", "x"])
    elif step == 2:
        index.add(["a new text about cheese"], ids=["4"], replace=True)
    else:
        index.refit(collections_model())


_models = []


def collections_model():
    if not _models:
        _models.append(collections.model(n_topics=2))
    return _models[0]


STEPS = 4


def write(folder):
    index = Index.load(folder)
    for step in range(STEPS):
        change(index, step)
        index.save(folder)


def build(folder):
    """What `psif index` does: a whole index, in a new folder or in place of an earlier one."""
    Index.build(collections.texts(20, seed=1), model=collections_model()).save(folder)


def state(folder):
    """What a reader finds."""
    index = Index.load(folder)
    hits = index.search_many(["ship in a storm", "n1", "cheese"], k=5)
    return repr([index.ids(), [[(hit.id, hit.score) for hit in found] for found in hits]])


def run(folder, die_at=None, writer=write):
    """Run a writer in a forked child; return its exit code and the operations it did."""

    def work():
        writer(folder)
        return 0

    return forked.run(work, folder, die_at, [(array_files, "_put")])


def attack(points=None, seed=0):
    """Try kill points of every kind of writer: all of them, or a random choice of each.

    Returns
    -------
    tried : int
    failures : list of str
    """
    tried, failures = attack_changes(points, seed)
    more, others = attack_builds(points, seed)
    return tried + more, failures + others


def attack_changes(points=None, seed=0):
    """Try kill points of additions, deletions and refits.

    Returns
    -------
    tried : int
    failures : list of str
    """
    collections_model()
    array_files._BLOCK = 1 << 11  # so that a kill may leave half a file
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        start = root / "start"
        Index.build(collections.texts(12), model=collections.model()).save(start)
        states = [state(start)]
        index = Index.load(shutil.copytree(start, root / "steps"))
        for step in range(STEPS):
            change(index, step)
            index.save(root / "steps")
            states.append(state(root / "steps"))
        code, n_operations = run(shutil.copytree(start, root / "whole"))
        assert code == 0
        assert state(root / "whole") == states[-1]
        places = list(range(1, n_operations + 1))
        if points is not None and points < len(places):
            places = sorted(random.Random(seed).sample(places, points))
        failures = []
        for place in places:
            problem = _one(root, start, place, states)
            if problem:
                failures.append(f"operation {place} of {n_operations}: {problem}")
        return len(places), failures


def attack_builds(points=None, seed=0):
    """Try kill points of a build, in a new folder and in place of an earlier index.

    Returns
    -------
    tried : int
    failures : list of str
    """
    collections_model()
    array_files._BLOCK = 1 << 11
    tried, failures = 0, []
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        start = root / "start"
        Index.build(collections.texts(12), model=collections.model()).save(start)
        build(root / "built")
        after = state(root / "built")
        for before in (None, state(start)):
            folder = root / "whole"
            _begin(folder, start if before else None)
            code, n_operations = run(folder, writer=build)
            assert code == 0
            places = list(range(1, n_operations + 1))
            if points is not None and points < len(places):
                places = sorted(random.Random(seed).sample(places, points))
            for place in places:
                _begin(folder, start if before else None)
                tried += 1
                problem = _one_build(folder, place, before, after)
                if problem:
                    failures.append(f"build, operation {place} of {n_operations}: {problem}")
    return tried, failures


def _begin(folder, start):
    shutil.rmtree(folder, ignore_errors=True)
    if start is not None:
        shutil.copytree(start, folder)


def _one_build(folder, place, before, after):
    code, _ = run(folder, die_at=place, writer=build)
    if code != KILLED:
        return f"exit code {code} instead of a kill"
    try:
        found = state(folder)
    except PsifError as error:
        # Without an earlier index there is nothing to read until the build is complete.
        found = None
        if before is not None:
            return f"a reader gets {type(error).__name__}: {error}"
    except Exception as error:  # the failure that is looked for
        return f"a reader gets {type(error).__name__}: {error}"
    if found not in (before, after):
        return "a reader finds a state that never was"
    build(folder)
    return None if state(folder) == after else "the next build is not whole"


def _one(root, start, place, states):
    folder = root / "try"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(start, folder)
    code, _ = run(folder, die_at=place)
    if code != KILLED:
        return f"exit code {code} instead of a kill"
    try:
        found = state(folder)
    except Exception as error:  # the failure that is looked for
        return f"a reader gets {type(error).__name__}: {error}"
    if found not in states:
        return "a reader finds a state that never was"
    index = Index.load(folder)
    index.add(["the next writer"], ids=["next"])
    index.save(folder)
    kinds = sorted(path.name.partition("-")[0] for path in folder.iterdir())
    if set(kinds) - {"manifest.json", "write.lock", "segment", "deleted", "space", "model"}:
        return f"left behind: {kinds}"
    if kinds.count("model") != 1 or kinds.count("space") != 1 or kinds.count("segment") > 3:
        return f"left behind: {kinds}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tried, failures = attack(options.points, options.seed)
    print(json.dumps({"tried": tried, "failures": failures}))


if __name__ == "__main__":
    main()
