"""Damage the files of an index and see that no hit is ever wrong.

Every attempt changes one file of a saved index in one way: a bit, a byte, a run of bytes, a cut, an
addition, a swap of two files, an empty file, a missing one. Loading and searching must then give
the answers of the undamaged index or one of our errors.

``python -m tests.attacks.index_files --attempts 500`` prints the result as JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
import warnings
from pathlib import Path

from psif import Index, PsifError, PsifWarning
from tests.search import collections

QUERIES = ["ship in a storm", "n1 soup", "pilot", "cheese n3"]


def make_index(folder):
    index = Index.build(
        collections.texts(30),
        metadata=[{"n": i, "kind": "abc"[i % 3]} for i in range(30)],
        model=collections.model(),
    )
    index.save(folder)
    index.add(["a late ship", "a late plane"], metadata=[{"n": 98}, {"n": 99}])
    index.delete(["3"])
    index.save(folder)


def answers(folder, *, mapped):
    index = Index.load(folder, mapped=mapped)
    found = [
        [(hit.id, hit.score, hit.text, hit.metadata) for hit in hits]
        for hits in index.search_many(QUERIES, k=6)
    ]
    found.append([hit.id for hit in index.search("ship", where="n > 5 and kind != 'a'")])
    found.append([(w.word, w.share) for w in index.explain("ship", "0").lexical])
    return found


def damage(folder, rng):
    """Change one file; return what was done, or None if nothing changed."""
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("README.md", "write.lock")
    )
    path = rng.choice(files)
    data = bytearray(path.read_bytes())
    kind = rng.choice(["bit", "byte", "run", "cut", "add", "swap", "empty", "missing", "insert"])
    place = rng.randrange(len(data)) if data else 0
    if kind == "bit" and data:
        data[place] ^= 1 << rng.randrange(8)
    elif kind == "byte" and data:
        data[place] = rng.randrange(256)
    elif kind == "run" and data:
        data[place : place + 16] = rng.randbytes(len(data[place : place + 16]))
    elif kind == "cut":
        del data[place:]
    elif kind == "add":
        data += rng.randbytes(rng.randrange(1, 40))
    elif kind == "insert":
        data[place:place] = rng.randbytes(rng.randrange(1, 9))
    elif kind == "empty":
        data.clear()
    elif kind == "swap":
        other = rng.choice(files)
        data = bytearray(other.read_bytes())
    if kind == "missing":
        path.unlink()
    elif bytes(data) == path.read_bytes():
        return None
    else:
        path.write_bytes(bytes(data))
    return f"{kind} of {path.relative_to(folder)} at {place}"


def attack(attempts, seed=0):
    """Damage so many copies of an index.

    Returns
    -------
    tried : int
    failures : list of str
    """
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        start, folder = Path(name) / "start", Path(name) / "try"
        make_index(start)
        expected = answers(start, mapped=True)
        failures, tried = [], 0
        while tried < attempts:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(start, folder)
            done = damage(folder, rng)
            if done is None:
                continue
            tried += 1
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", PsifWarning)
                    if answers(folder, mapped=tried % 2 == 0) != expected:
                        failures.append(f"{done}: other hits")
            except PsifError as error:
                if not str(error).strip():
                    failures.append(f"{done}: an error without a text")
            except Exception as error:  # the failure that is looked for
                failures.append(f"{done}: {type(error).__name__}: {error}")
        return tried, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--attempts", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tried, failures = attack(options.attempts, options.seed)
    print(json.dumps({"tried": tried, "failures": failures}))


if __name__ == "__main__":
    main()
