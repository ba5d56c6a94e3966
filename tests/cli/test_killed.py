"""``psif embed`` is really killed in the middle of writes, and must end with the same bytes."""

import os
import random
import signal
import subprocess
import sys

import pytest

from tests.cli.conftest import make_docs, write_jsonl

# Small chunks; if asked, gets a signal in the middle of a write, after a given number of bytes.
DRIVER = """
import os, resource, signal, sys
from psif.files import batches
from psif.cli import main
from psif.files.writers import job
batches._MOST_ROWS = 25
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored if the tests run in background
limit = int(os.environ.get("SIGNAL_AFTER_BYTES", "0"))
if limit:
    write_all, written = job._write_all, [0]
    def write_with_signal(file, data):
        room = limit - written[0]
        written[0] += len(data)
        if room >= 0 and written[0] >= limit:
            write_all(file, memoryview(data)[:room])
            os.kill(os.getpid(), int(os.environ["SIGNAL"]))
            data = memoryview(data)[room:]
        write_all(file, data)
    job._write_all = write_with_signal
size = int(os.environ.get("FILE_LIMIT", "0"))
if size:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
main()
"""


def start(folder, *args, **settings):
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, *map(str, args)],
        cwd=folder,
        env={**os.environ, **{key: str(value) for key, value in settings.items()}},
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory, trained):
    """The documents, the command without its output, and the bytes of a run left in peace."""
    folder = tmp_path_factory.mktemp("unbroken")
    docs = write_jsonl(folder / "docs.jsonl", make_docs(1000))
    args = ["embed", docs, "--model", trained[0], "-o"]
    process = start(folder, *args, "whole.parquet")
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    return args, (folder / "whole.parquet").read_bytes()


@pytest.fixture
def job(tmp_path, unbroken):
    args, whole = unbroken
    return tmp_path, [*args, "v.parquet"], whole


def finish(folder, args, whole):
    process = start(folder, *args, "--resume")
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert (folder / "v.parquet").read_bytes() == whole
    assert not (folder / "v.parquet.part").exists()
    return errors


def test_killed_again_and_again_in_the_middle_of_writes(job):
    folder, args, whole = job
    chance = random.Random(0)
    for _ in range(3):
        place = chance.randint(100, len(whole) // 4)
        settings = {"SIGNAL": int(signal.SIGKILL), "SIGNAL_AFTER_BYTES": place}
        process = start(folder, *args, "--resume", **settings)
        process.communicate()
        assert process.returncode == -signal.SIGKILL, place
        assert not (folder / "v.parquet").exists()
    assert "resuming after" in finish(folder, args, whole)


def test_a_full_disk(job):
    folder, args, whole = job
    (folder / "v.parquet").write_text("earlier")
    process = start(folder, *args, FILE_LIMIT=len(whole) // 2)
    _, errors = process.communicate()
    assert process.returncode == 1
    assert "no space left to write" in errors
    assert "Traceback" not in errors
    assert (folder / "v.parquet").read_text() == "earlier"
    assert "resuming after" in finish(folder, args, whole)


def test_ctrl_c(job):
    folder, args, whole = job
    settings = {"SIGNAL": int(signal.SIGINT), "SIGNAL_AFTER_BYTES": len(whole) // 3}
    process = start(folder, *args, **settings)
    _, errors = process.communicate()
    assert process.returncode == 1
    assert "Error: interrupted." in errors
    assert "Traceback" not in errors
    assert not (folder / "v.parquet").exists()
    assert "resuming after" in finish(folder, args, whole)
