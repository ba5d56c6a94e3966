"""The folder that transform writes: one run at a time, notes that are not believed blindly."""

import json
import os
import threading

import numpy as np
import psutil
import pyarrow.parquet as pq
import pytest

from psif.distributed.local import local_cluster
from psif.distributed.output import Output
from psif.errors import InputError, PsifError
from psif.files.readers import ReadOptions, read_documents
from tests import corpora
from tests.distributed import inline
from tests.distributed.conftest import check_output

TEXTS = {f"doc {i}": text for i, text in enumerate(corpora.texts(12))}


def documents():
    return inline.cut(list(TEXTS.items()), [5])


@pytest.fixture
def out(tmp_path, model):
    """A finished output of two partitions."""
    inline.transform(model[1], documents(), out=tmp_path / "out")
    return tmp_path / "out"


class Waiting(inline.Part):
    """A partition that is read only when it is told to."""

    def __init__(self, items, key):
        super().__init__(items, key)
        self.reached, self.go = threading.Event(), threading.Event()

    def __iter__(self):
        self.reached.set()
        assert self.go.wait(60)
        return super().__iter__()


def test_a_second_run_into_the_same_folder_is_refused_and_does_no_harm(tmp_path, model):
    fitted, folder = model
    out = tmp_path / "out"
    slow = inline.cut(list(TEXTS.items()), [5])
    slow._parts[1] = waiting = Waiting(slow._parts[1].items, slow._parts[1].key)
    reports = []
    first = threading.Thread(
        target=lambda: reports.append(inline.transform(folder, slow, out=out)), daemon=True
    )
    first.start()
    assert waiting.reached.wait(60)
    try:
        for overwrite in (False, True):
            with pytest.raises(InputError, match="out is being written by another run"):
                inline.transform(folder, documents(), out=out, overwrite=overwrite)
    finally:
        waiting.go.set()
        first.join()
    assert reports[0].n_docs == len(TEXTS)
    check_output(out, TEXTS, fitted)


def test_a_task_that_outlives_its_run_cannot_write_into_the_next(tmp_path, model):
    first, second = Output(str(tmp_path)), Output(str(tmp_path))
    job = {"number": 1}
    first.begin(job, model[1], overwrite=False)

    def write(then):
        with first.writing("part-00000.parquet") as file:
            file.write(b"old")
            then()

    with pytest.raises(FileNotFoundError):
        write(lambda: second.begin(job, model[1], overwrite=False))
    with pytest.raises(FileNotFoundError):
        write(lambda: None)
    assert not (tmp_path / "part-00000.parquet").exists()
    with second.writing("part-00000.parquet") as file:
        file.write(b"new")
    assert (tmp_path / "part-00000.parquet").read_bytes() == b"new"
    second.tidy()
    assert sorted(os.listdir(tmp_path / "_psif")) == ["job.json", "model"]


def good_note(out):
    return json.loads((out / "_psif" / "done" / "part-00000.json").read_text())


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        {"size": None},
        {"size": "12"},
        {"rows": -1},
        {"rows": True},
        {"problems": "x"},
        {"problems": [1]},
        {"checksum": 1},
        {"job": []},
    ],
    ids=str,
)
@pytest.mark.parametrize("remove", [False, True])
def test_a_damaged_note_means_the_partition_is_made_again(out, model, damage, remove):
    note = out / "_psif" / "done" / "part-00000.json"
    if isinstance(damage, bytes):
        content = damage
    else:
        fields = good_note(out)
        for name, value in damage.items():
            if remove:
                del fields[name]
            else:
                fields[name] = value
        content = json.dumps(fields).encode()
    note.write_bytes(content)
    (out / "_psif" / "done" / "part-x.json").write_text("{}")
    (out / "_psif" / "done" / "notes.txt").write_text("")
    report = inline.transform(model[1], documents(), out=out)
    assert (report.n_kept, report.n_docs) == (1, len(TEXTS))
    check_output(out, TEXTS, model[0])


@pytest.mark.parametrize("content", [b"", b"[1]", b"{", b"\xff"])
def test_a_damaged_job_is_told(out, model, content):
    (out / "_psif" / "job.json").write_bytes(content)
    with pytest.raises(InputError, match=r"_psif/job\.json is missing or damaged; give another"):
        inline.transform(model[1], documents(), out=out, overwrite=True)
    assert len(pq.read_table(out)) == len(TEXTS)


def test_foreign_parquet_files_are_not_touched(tmp_path, model):
    (tmp_path / "mine.parquet").write_bytes(b"precious")
    with pytest.raises(InputError, match="holds Parquet files that psif did not write"):
        inline.transform(model[1], documents(), out=tmp_path, overwrite=True)
    assert os.listdir(tmp_path) == ["mine.parquet"]


def test_overwriting_keeps_what_is_not_ours(out, model):
    (out / "notes.txt").write_text("mine")
    report = inline.transform(model[1], documents(), out=out, dtype="int8", overwrite=True)
    assert (report.n_kept, report.n_docs) == (0, len(TEXTS))
    assert (out / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "vocab.txt"])
def test_a_damaged_copy_of_the_model_is_replaced(out, model, name):
    file = out / "_psif" / "model" / name
    with file.open("r+b") as opened:  # in place: this process has the arrays mapped
        opened.seek(file.stat().st_size // 2)
        opened.write(b"\x5a\xa5\x5a")
    (out / "part-00000.parquet").unlink()
    inline.transform(model[1], documents(), out=out)
    check_output(out, TEXTS, model[0])
    file.unlink()
    (out / "part-00000.parquet").unlink()
    inline.transform(model[1], documents(), out=out)
    check_output(out, TEXTS, model[0])


def test_out_is_a_file(tmp_path, model):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="file is a file; give a folder"):
        inline.transform(model[1], documents(), out=tmp_path / "file")


def test_another_model_at_the_same_address_of_other_storage(tmp_path, model):
    """A worker that has fetched a model must not keep it for the next one."""
    other = corpora.saved_model(tmp_path / "other", seed=1)
    url = "memory://replaced"
    inline.transform(model[1], documents(), out=url)
    inline.transform(other[1], documents(), out=url, overwrite=True)
    fs, root = Output(url)._storage
    vectors = np.array(pq.read_table(root, filesystem=fs)["vector"].to_pylist(), dtype=np.float32)
    np.testing.assert_array_equal(vectors, other[0].transform(list(TEXTS.values())))
    fs.rm(root, recursive=True)


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_an_empty_file_is_refused_as_on_one_machine(tmp_path, model, content):
    (tmp_path / "good.jsonl").write_text('{"text": "sea"}\n')
    (tmp_path / "empty.jsonl").write_text(content)
    files = [tmp_path / "good.jsonl", tmp_path / "empty.jsonl"]
    message = r"empty\.jsonl: empty, there is no document in it"
    with pytest.raises(InputError, match=message):
        list(read_documents(files))
    with pytest.raises(InputError, match=message):
        inline.transform(model[1], files, out=tmp_path / "out")
    with pytest.raises(InputError, match=message):
        inline.fit(model[0].__class__(n_topics=2), files)


def test_files_of_bad_records_alone_are_refused_as_on_one_machine(tmp_path, model):
    (tmp_path / "bad.jsonl").write_text("{\n[]\n")
    files, skip = [tmp_path / "bad.jsonl"], ReadOptions(on_error="skip")
    errors = []
    for read in (
        lambda: list(read_documents(files, skip)),
        lambda: inline.transform(model[1], files, out=tmp_path / "out", reading=skip),
    ):
        with pytest.raises(PsifError) as caught:
            read()
        errors.append(str(caught.value))
    assert errors[0] == errors[1]
    assert "bad.jsonl: no document could be read; 2 records were skipped" in errors[0]


@pytest.mark.xdist_group("distributed")
def test_a_local_cluster_listens_on_this_machine_alone():
    with local_cluster(1) as cluster:
        assert cluster.dashboard_link.startswith("http://127.0.0.1:")
        me = psutil.Process()
        sockets = [
            socket
            for process in [me, *me.children(recursive=True)]
            for socket in process.net_connections(kind="inet")
            if socket.status == psutil.CONN_LISTEN
        ]
    assert len(sockets) >= 3
    assert {socket.laddr.ip for socket in sockets} == {"127.0.0.1"}
