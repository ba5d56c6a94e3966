"""Closed and broken standard streams: the work is done all the same."""

import os
import subprocess
import sys

import numpy as np
import pytest

from tests.cli.conftest import SMALL, make_docs, write_jsonl

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a Unix shell")


def shell(folder, line):
    line = line.replace("psif ", f"{sys.executable} -m psif ")
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=120
    )


@pytest.fixture
def docs(tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", make_docs(60))
    return tmp_path


@pytest.mark.parametrize(
    "streams",
    ["2>&-", "2>&- -q", "2>&- >&- <&-", "2>/dev/full", "2> >(exit 0)", ">&-"],
    ids=["stderr", "quiet", "all", "full", "broken", "stdout"],
)
def test_output_is_written_without_standard_error(docs, streams):
    done = shell(docs, f"psif embed docs.jsonl -o v.npy {' '.join(SMALL)} {streams}")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert np.load(docs / "v.npy").shape == (60, 24)
    # A library that prints to a closed stream must not print into our files.
    assert (docs / "v.npy").read_bytes().startswith(b"\x93NUMPY")


def test_results_are_printed_without_standard_error(trained):
    expected = shell(trained[0].parent, "psif topics v.model").stdout
    assert expected.count("\n") == 3
    assert shell(trained[0].parent, "psif topics v.model 2>&-").stdout == expected


def test_a_failure_is_still_a_failure(docs):
    for streams in ("2>&-", "2>/dev/full", "2> >(exit 0)"):
        done = shell(docs, f"psif info nowhere {streams}")
        assert (done.returncode, done.stdout) == (1, "")


def test_closed_standard_input_is_told(docs):
    done = shell(docs, "psif fit - -o m <&-")
    assert done.returncode == 1
    assert "standard input is closed" in done.stderr


def test_a_query_from_standard_input_that_is_not_utf8(trained):
    line = r"printf 'cat \xff dog' | psif similar v.model v.parquet -"
    done = shell(trained[0].parent, line)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 10


WITH = f"--format jsonl {' '.join(SMALL)} -q"


@pytest.mark.parametrize(
    "line",
    [
        f"psif embed <(cat docs.jsonl) -o v.npy {WITH}",
        f"cat docs.jsonl | psif embed - -o v.npy {WITH}",
        f"cat docs.jsonl | psif embed /dev/stdin -o v.npy {WITH}",
        f"mkfifo p && (cat docs.jsonl > p &) && psif embed p -o v.npy {WITH}",
        f"psif fit <(cat docs.jsonl) -o m {WITH} && "
        "mkfifo p.jsonl && (cat docs.jsonl > p.jsonl &) && psif embed p.jsonl --model m -o v.npy",
    ],
    ids=["shell", "standard input", "its name", "named", "fitted before"],
)
def test_pipes_are_read_once_and_never_waited_for_again(docs, line):
    done = shell(docs, line)
    assert done.returncode == 0, done.stderr
    assert np.load(docs / "v.npy").shape == (60, 24)


def test_a_pipe_is_resumed_from_its_copy(docs):
    """The pipe is gone when an interrupted run is continued."""
    stop = "import os; from psif.cli import embedding; "
    stop += "embedding.fit_model = lambda *args: os._exit(9); from psif.cli import main; main()"
    arguments = f"embed p -o v.npy {WITH}"
    os.mkfifo(docs / "p")
    code = shell(docs, f"(cat docs.jsonl > p &) && {sys.executable} -c '{stop}' {arguments}")
    assert code.returncode == 9, code.stderr
    done = shell(docs, f"psif {arguments} --resume")
    assert done.returncode == 0, done.stderr
    assert np.load(docs / "v.npy").shape == (60, 24)
