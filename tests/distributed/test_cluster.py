"""Real processes: results, and every way in which they may be lost."""

import subprocess
import sys
import time

import dask
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from distributed.comm.core import CommClosedError

import distributed as dask_distributed
from psif import PSIF, InputError, PsifError, distributed
from psif.distributed import ClusterError
from psif.distributed import cluster as cluster_module
from psif.distributed.cluster import check_cluster
from psif.files.readers.options import ReadOptions, ReadReport
from psif.model.presets import PLAIN
from tests import corpora
from tests.distributed import parts
from tests.distributed.conftest import KillOne, check_output
from tests.distributed.test_same_result import assert_same_model

pytestmark = [
    pytest.mark.xdist_group("distributed"),
    pytest.mark.filterwarnings("ignore:.*dimensions, not"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

TEXTS = {f"doc {i}": text for i, text in enumerate(corpora.texts(80))}
OPTIONS = {**PLAIN, "n_topics": 3, "dim": 3, "random_state": 0}


@pytest.fixture(scope="module")
def one():
    """The model of one machine."""
    return PSIF(**OPTIONS).fit(list(TEXTS.values()))


def bag(n_partitions=8):
    return db.from_sequence(list(TEXTS.items()), npartitions=n_partitions)


@pytest.mark.parametrize("n_partitions", [1, 9])
def test_fit_gives_the_model_of_one_machine(client, one, n_partitions):
    other = distributed.fit(PSIF(**OPTIONS), bag(n_partitions), client=client)
    assert_same_model(one, other, list(TEXTS.values()))


def test_dataframes_and_files(client, one, tmp_path):
    frame = pd.DataFrame({"id": list(TEXTS), "text": list(TEXTS.values())})
    other = distributed.fit(PSIF(**OPTIONS), dd.from_pandas(frame, npartitions=3), client=client)
    assert_same_model(one, other, list(TEXTS.values()))
    files = []
    for i in range(3):
        files.append(tmp_path / f"{i}.jsonl")
        frame[i::3].to_json(files[-1], orient="records", lines=True)
    other.save(tmp_path / "model")
    report = distributed.transform(tmp_path / "model", files, client=client, out=tmp_path / "out")
    assert (report.n_docs, report.n_partitions, report.n_kept) == (80, 3, 0)
    check_output(tmp_path / "out", TEXTS, other)


def test_a_worker_killed_in_the_middle_of_fit(client, one):
    # The 12th step of progress is after the counting: word ids are lost and made again.
    kill = KillOne(client, at=12)
    other = distributed.fit(PSIF(**OPTIONS), bag(), client=client, progress=kill)
    assert kill.killed is not None
    assert_same_model(one, other, list(TEXTS.values()))


def test_a_worker_killed_in_the_middle_of_transform(client, model, tmp_path):
    fitted, folder = model
    kill = KillOne(client, at=2)
    out = tmp_path / "out"
    documents = bag().map_partitions(parts.held, str(out))

    def progress(done, total):
        kill(done, total)
        if kill.killed is not None:
            (tmp_path / "go").touch()

    report = distributed.transform(folder, documents, client=client, out=out, progress=progress)
    assert kill.killed is not None
    assert report.n_docs == len(TEXTS)
    check_output(out, TEXTS, fitted)


def test_a_worker_out_of_memory(client, model, tmp_path):
    fitted, folder = model
    # Once: the worker is killed at its limit, another takes over.
    (tmp_path / "hog").touch()
    documents = bag(4).map_partitions(parts.hog, str(tmp_path))
    distributed.transform(folder, documents, client=client, out=tmp_path / "once")
    assert not (tmp_path / "hog").exists()
    check_output(tmp_path / "once", TEXTS, fitted)
    # Always: a clear error; what is finished stays, and is not done again.
    (tmp_path / "hog").touch()
    documents = bag(4).map_partitions(parts.hog, str(tmp_path), always=True)
    # Which of a partition's tasks was running when the worker died, Dask decides.
    given_up = r"^\S+ was given up.*want of memory.*Run it again"
    with pytest.raises(ClusterError, match=given_up):
        distributed.transform(folder, documents, client=client, out=tmp_path / "always")
    (tmp_path / "hog").unlink()
    (tmp_path / "always" / "part-00003.parquet").write_bytes(b"PAR1 damaged")
    distributed.transform(folder, documents, client=client, out=tmp_path / "always")
    check_output(tmp_path / "always", TEXTS, fitted)


def test_the_scheduler_lost(client, model, tmp_path):
    fitted, folder = model
    out = tmp_path / "out"
    documents = bag().map_partitions(parts.held, str(out))
    file = tmp_path / "scheduler.json"
    dask_cli = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
    scheduler = subprocess.Popen(
        [*dask_cli, "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file],
        stderr=subprocess.DEVNULL,
    )
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-dashboard"]
    options = ["--nthreads", "1", "--scheduler-file", file, "--death-timeout", "20"]
    worker = subprocess.Popen([*worker, "--no-nanny", *options], stderr=subprocess.DEVNULL)
    try:
        while not file.exists():
            assert scheduler.poll() is None
            time.sleep(0.05)

        def progress(done, total):
            if done == 2:
                scheduler.kill()

        with (
            dask.config.set({"distributed.comm.timeouts.connect": "2s"}),
            dask_distributed.Client(scheduler_file=str(file), timeout=30) as lost,
            pytest.raises(ClusterError, match=r"was lost.*Run it again to continue"),
        ):
            distributed.transform(folder, documents, client=lost, out=out, progress=progress)
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    (tmp_path / "go").touch()
    report = distributed.transform(folder, documents, client=client, out=out)
    assert 2 <= report.n_kept < 8
    check_output(out, TEXTS, fitted)


def test_all_workers_gone(model, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "_PATIENCE", 0.4)
    monkeypatch.setattr(cluster_module, "_EVERY", 0.1)
    out = tmp_path / "out"
    documents = bag().map_partitions(parts.held, str(out))
    with (
        dask_distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        dask_distributed.Client(cluster) as lonely,
    ):

        def progress(done, total):
            if done == 2:
                cluster.scale(0)

        with pytest.raises(ClusterError, match=r"no worker is left.*Run it again to continue"):
            distributed.transform(model[1], documents, client=lonely, out=out, progress=progress)


def test_corrupt_lines(client, one, tmp_path):
    good = [f'{{"id": "{key}", "text": "{text}"}}\n' for key, text in TEXTS.items()]
    (tmp_path / "a.jsonl").write_text("".join(good[:40]))
    (tmp_path / "b.jsonl").write_text("".join([*good[40:60], '{"text": \n', *good[60:]]))
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    with pytest.raises(PsifError, match=r"b.jsonl, line 21: not valid JSON"):
        distributed.fit(PSIF(**OPTIONS), files, client=client)
    skip, report = ReadOptions(on_error="skip"), ReadReport()
    other = distributed.fit(PSIF(**OPTIONS), files, client=client, reading=skip, report=report)
    assert report.n_skipped == 1
    assert_same_model(one, other, list(TEXTS.values()))
    done = distributed.transform(other, files, client=client, out=tmp_path / "o", reading=skip)
    assert (done.n_docs, done.n_skipped) == (80, 1)
    check_output(tmp_path / "o", TEXTS, other)


def test_running_again_keeps_what_is_sound(client, model, tmp_path):
    fitted, folder = model
    out = tmp_path / "out"
    distributed.transform(folder, bag(4), client=client, out=out)
    before = {path.name: path.stat().st_mtime_ns for path in out.glob("*.parquet")}
    damaged = out / "part-00001.parquet"
    data = bytearray(damaged.read_bytes())
    data[len(data) // 2] ^= 1
    damaged.write_bytes(data)
    (out / "part-00002.parquet").unlink()
    # What a worker leaves that is killed while it writes.
    (out / "_psif" / "tmp").mkdir()
    (out / "_psif" / "tmp" / "half").write_bytes(b"PAR1")
    report = distributed.transform(folder, bag(4), client=client, out=out)
    assert report.n_kept == 2
    assert report.n_docs == 80
    after = {path.name: path.stat().st_mtime_ns for path in out.glob("*.parquet")}
    assert {name for name in after if after[name] == before[name]} == {
        "part-00000.parquet",
        "part-00003.parquet",
    }
    check_output(out, TEXTS, fitted)
    with pytest.raises(InputError, match="begun with another dtype"):
        distributed.transform(folder, bag(4), client=client, out=out, dtype="int8")
    distributed.transform(folder, bag(3), client=client, out=out, overwrite=True)
    check_output(out, TEXTS, fitted)


def test_another_version_of_psif(client, tmp_path):
    (tmp_path / "psif-9.9.dist-info").mkdir()
    (tmp_path / "psif-9.9.dist-info" / "METADATA").write_text("Name: psif\nVersion: 9.9\n")
    worker = sorted(client.scheduler_info()["workers"])[0]
    client.run(parts.look_first_in, str(tmp_path), workers=[worker])
    try:
        with pytest.raises(ClusterError, match=r"has psif 9.9, this side has .*pip install"):
            distributed.fit(PSIF(**OPTIONS), bag(), client=client)
    finally:
        client.run(parts.look_no_more_in, str(tmp_path), workers=[worker])


def test_no_psif_on_a_worker():
    class Without:
        def scheduler_info(self):
            return {"workers": {"tcp://a": {}}}

        def run(self, function, name, on_error):
            return {"tcp://a": ModuleNotFoundError(name)}

    with pytest.raises(ClusterError, match=r"tcp://a has no psif.*pip install 'psif"):
        check_cluster(Without())


def test_a_worker_that_is_lost_while_it_is_asked():
    class WithoutOne:
        def scheduler_info(self):
            return {"workers": {"tcp://a": {}, "tcp://b": {}}}

        def run(self, function, name, on_error):
            return {"tcp://a": CommClosedError("in connect"), "tcp://b": function(name)}

    check_cluster(WithoutOne())


def test_other_trainers_and_an_empty_corpus(client):
    with pytest.raises(InputError, match=r"'sgns' does not run on a cluster.*'ppmi'"):
        distributed.fit(PSIF("sgns", **OPTIONS), bag(2), client=client)
    with pytest.raises(InputError, match="no documents to fit on"):
        distributed.fit(PSIF(**OPTIONS), [], client=client)


def test_other_storage(client, model):
    # Memory of this process is no shared storage; it shows that nothing but fsspec is used.
    from psif.distributed.output import Output
    from tests.distributed import inline

    fitted, folder = model
    documents = inline.cut(list(TEXTS.items()), [30])
    report = inline.transform(folder, documents, out="memory://vectors")
    assert report.n_docs == 80
    again = inline.transform(folder, documents, out="memory://vectors")
    assert again.n_kept == 2
    fs, root = Output("memory://vectors")._storage
    table = pq.read_table(root, filesystem=fs)
    np.testing.assert_array_equal(
        np.array(table["vector"].to_pylist(), dtype=np.float32),
        fitted.transform(list(TEXTS.values())),
    )
