"""A real cluster: a scheduler here, two worker processes that may be killed."""

import os
import signal

import dask
import numpy as np
import pyarrow.parquet as pq
import pytest

import distributed
from tests import corpora

MEMORY = 1_000_000_000


@pytest.fixture(scope="session")
def client():
    settings = {
        "distributed.scheduler.allowed-failures": 1,
        "distributed.nanny.pre-spawn-environ.OMP_NUM_THREADS": 1,
        "distributed.worker.memory.monitor-interval": "50ms",
    }
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit=MEMORY,
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    return corpora.saved_model(tmp_path_factory.mktemp("model") / "m")


class KillOne:
    """Progress that kills one worker when a certain call comes."""

    def __init__(self, client, at):
        self.client, self.at, self.calls, self.killed = client, at, 0, None

    def __call__(self, done, total):
        self.calls += 1
        if self.calls == self.at:
            pids = self.client.run(os.getpid, on_error="ignore")
            self.killed = pids[min(pids)]
            os.kill(self.killed, signal.SIGKILL)


def check_output(out, texts, model):
    """Every id once, none missing, each with its own vector."""
    table = pq.read_table(out)
    ids = table["id"].to_pylist()
    assert sorted(ids) == sorted(texts)
    vectors = np.array(table["vector"].to_pylist(), dtype=np.float32)
    np.testing.assert_array_equal(vectors, model.transform([texts[key] for key in ids]))
    assert not (out / "_psif" / "tmp").exists()
