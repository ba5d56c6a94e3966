"""Faults of a Dask cluster: workers are killed, and files of the output damaged, between runs.

After each fault ``transform`` is called again and must end with every document once, each with its
own vector, or refuse the folder with an error of psif; a fit must give the model of one machine.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
import warnings
from pathlib import Path

import dask.bag
import numpy as np
import pyarrow.parquet as pq

import distributed as dask_distributed
from psif import PSIF, InputError, distributed
from psif.distributed.local import local_cluster
from tests import corpora

TEXTS = {f"doc {i}": text for i, text in enumerate(corpora.texts(60))}
SETTINGS = {"n_topics": 3, "dim": 3, "random_state": 0}


def attack(n_faults, seed=0):
    """Cause faults; return how many, and what went wrong."""
    chance = random.Random(seed)
    failures = []
    with (
        warnings.catch_warnings(),
        tempfile.TemporaryDirectory() as name,
        local_cluster(2) as cluster,
        dask_distributed.Client(cluster) as client,
    ):
        warnings.simplefilter("ignore")
        model, folder = corpora.saved_model(Path(name) / "model")
        expected = PSIF(**SETTINGS).fit(list(TEXTS.values())).transform(list(TEXTS.values()))
        for number in range(n_faults):
            kind = chance.choice([_kill_in_fit, _kill_in_transform, _damage, _damage, _damage])
            out = Path(name) / f"out-{number}"
            try:
                problem = kind(client, chance, model, folder, out, expected)
            except Exception as error:
                problem = f"{type(error).__name__}: {error}"
            if problem:
                failures.append(f"fault {number} of seed {seed} ({kind.__name__}): {problem}")
            shutil.rmtree(out, ignore_errors=True)
    return n_faults, failures


def _documents(n_partitions=6):
    return dask.bag.from_sequence(list(TEXTS.items()), npartitions=n_partitions)


class _Killer:
    """Progress that kills one worker at a random step."""

    def __init__(self, client, chance, most):
        self._client, self._at, self._chance = client, chance.randint(1, most), chance
        self._calls = 0

    def __call__(self, done, total):
        self._calls += 1
        if self._calls == self._at:
            pids = sorted(self._client.run(os.getpid, on_error="ignore").values())
            os.kill(self._chance.choice(pids), signal.SIGKILL)


def _kill_in_fit(client, chance, model, folder, out, expected):
    killer = _Killer(client, chance, 30)
    fitted = distributed.fit(PSIF(**SETTINGS), _documents(), client=client, progress=killer)
    if not np.allclose(fitted.transform(list(TEXTS.values())), expected, atol=1e-5):
        return "the model is another one"
    return None


def _kill_in_transform(client, chance, model, folder, out, expected):
    killer = _Killer(client, chance, 6)
    distributed.transform(folder, _documents(), client=client, out=out, progress=killer)
    return _wrong(out, model)


def _damage(client, chance, model, folder, out, expected):
    """Finish a run, damage some of its files, and run again."""
    distributed.transform(folder, _documents(), client=client, out=out)
    told = None
    for _ in range(chance.randint(1, 3)):
        files = [path for path in sorted(out.rglob("*")) if path.is_file() and path.name != "lock"]
        path = chance.choice(files)
        data = bytearray(path.read_bytes())
        place = chance.randrange(max(1, len(data)))
        told = f"{path.relative_to(out)} at {place}"
        kind = chance.randrange(4)
        if kind == 0:
            path.unlink()
            continue
        if kind == 1:
            del data[place:]
        elif kind == 2 and data:
            data[place] ^= 1 << chance.randrange(8)
        else:
            data[place:place] = chance.randbytes(5)
        path.write_bytes(data)
    try:
        distributed.transform(folder, _documents(), client=client, out=out)
    except InputError as error:
        # The note of the job was damaged: then the folder is not known to be ours.
        return None if str(out) in str(error) else f"{told}: {error}"
    problem = _wrong(out, model)
    return problem and f"{told}: {problem}"


def _wrong(out, model):
    table = pq.read_table(out)
    ids = table["id"].to_pylist()
    if sorted(ids) != sorted(TEXTS):
        return "documents are missing or doubled"
    vectors = np.array(table["vector"].to_pylist(), dtype=np.float32)
    if not np.array_equal(vectors, model.transform([TEXTS[key] for key in ids])):
        return "vectors changed"
    return None
