"""psif.toml: options of commands, and what a file that was merely found cannot set."""

import os

import numpy as np
import pytest

from psif.cli.config import load_config
from psif.cli.main import COMMANDS
from psif.errors import InputError
from tests.cli.conftest import SMALL, make_docs, write_jsonl


def test_config_file(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", [{"key": "k", "body": d["text"]} for d in make_docs(60)])
    (tmp_path / "psif.toml").write_text(
        '[fit]\ntopics = 3\nset = ["dim=8", "min_count=1", "word_columns=0"]\n'
        '[embed]\ntext-column = "body"\nid-column = "key"\ndtype = "float16"\nformat = "jsonl"\n'
    )
    run("embed", "docs.jsonl", "-o", "v.npy")
    assert np.load("v.npy").dtype == np.float16
    assert np.load("v.npy").shape == (60, 24)
    run("embed", "docs.jsonl", "-o", "w.npy", "--dtype", "float32")
    assert np.load("w.npy").dtype == np.float32
    (tmp_path / "bad.toml").write_text("[embed]\ndtyp = 1\n")
    result = run("--config", "bad.toml", "info", "x", code=1)
    assert "bad.toml: [embed] has no option dtyp; did you mean dtype?" in result.stderr
    (tmp_path / "bad.toml").write_text("[imbed]\n")
    assert "[imbed] is not a command" in run("--config", "bad.toml", "info", "x", code=1).stderr
    (tmp_path / "bad.toml").write_text("[embed\n")
    assert "not valid TOML" in run("--config", "bad.toml", "info", "x", code=1).stderr


def load(content, named=False):
    with open("psif.toml", "w", encoding="utf-8") as file:
        file.write(content)
    from psif.cli.config import FOUND

    return load_config(FOUND, list(COMMANDS), named=named)


UNSAFE = [
    '[fit]\ncluster = "tcp://10.6.6.6:8786"',
    '[fit]\ncluster = "local:2"',
    '[explore]\nhost = "0.0.0.0"',
    "[explore]\nport = 80",
    '[embed]\nmodel = "/tmp/other.model"',
    '[embed]\nmodel = "../other.model"',
    '[embed]\nmodel = "inside/../../other.model"',
    '[embed]\noutput = "/etc/passwd.npy"',
    '[embed]\noutput = "~/vectors.npy"',
    '[embed]\nmodel = "link/other.model"',
    '[fit]\nvectors = "/tmp/table.bin"',
    '[fit]\nvectors = "file:///tmp/table.bin"',
    '[fit]\nvectors = "https://example.org/table.bin"',
    '[fit]\nstop-words = "/etc/passwd"',
    '[fit]\nset = ["dim=3", "vectors=/tmp/table.bin"]',
    "[fit]\nset = ['vectors=\"../table.bin\"']",
    '[fit]\nset = [\'train_options={"path": ["/tmp/x"]}\']',
]


@pytest.mark.parametrize("content", UNSAFE)
def test_a_found_file_cannot_name_addresses_or_files_elsewhere(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    os.symlink("/tmp", "link")
    table = content[1 : content.index("]")]
    key = content.partition("\n")[2].partition(" ")[0]
    tables, ignored = load(content)
    assert ignored == [f"{key} of [{table}]"]
    assert tables[table] == {}
    tables, ignored = load(content, named=True)
    assert ignored == []
    assert len(tables[table]) == 1


@pytest.mark.parametrize(
    "content",
    [
        '[embed]\ntext-column = "body"\ndtype = "int8"\nresume = true\nfit-limit = 2.5',
        '[embed]\nmodel = "models/mine.model"\noutput = "./out/vectors.npy"',
        '[fit]\nvectors = "ppmi"\nstop-words = "english"\ntokenizer = "[a-z]+"',
        '[fit]\nset = ["dim=8", "weighting=sif", "train_options={}"]',
        '[fit]\nvectors = "tables/../tables/mine.vec"',
    ],
)
def test_a_found_file_can_set_all_else(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    tables, ignored = load(content)
    assert ignored == []
    assert load(content, named=True) == (tables, [])


def test_what_is_ignored_is_told_once_with_the_way_to_use_it(run, tmp_path, trained):
    (tmp_path / "psif.toml").write_text(
        '[fit]\ncluster = "tcp://10.6.6.6:1"\n[embed]\nmodel = "/nowhere"\ndtype = "float16"\n'
    )
    docs = write_jsonl(tmp_path / "docs.jsonl", make_docs(60))
    result = run("embed", docs, "-o", "v.npy", *SMALL)
    assert result.stderr.count("ignored cluster of [fit], model of [embed].") == 1
    assert "psif --config psif.toml embed" in result.stderr
    assert np.load("v.npy").dtype == np.float16
    for quiet in (["-q", "info", trained[0]], ["info", trained[0], "-q"]):
        assert run(*quiet).stderr == ""
    # A file that is named is trusted.
    result = run("--config", "psif.toml", "embed", docs, "-o", "w.npy", code=1)
    assert "w.npy: a cluster writes a folder" in result.stderr
    assert "ignored" not in result.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[embed]\ndtype = [1]", r"\[embed\] dtype is \[1\]; expected a text, a number"),
        ("[embed]\ndtype = {a = 1}", r"\[embed\] dtype is {'a': 1}; expected"),
        ("[embed]\ndtype = 2020-01-01", "dtype is datetime.date.*; expected"),
        ("[fit]\nset = [[1]]", r"\[fit\] set is \[1\]; expected"),
        ("embed = 1", r"\[embed\] is not a command"),
        ("[embed]\ntexts = 1", r"\[embed\] has no option texts; did you mean"),
        ("x = " + "[" * 5000, "not valid TOML"),
        ("\x00", "not valid TOML"),
    ],
)
def test_wrong_files(tmp_path, monkeypatch, content, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=rf"psif\.toml: .*{message}|psif\.toml: {message}"):
        load(content)


def test_files_that_are_no_text_or_no_files(run, tmp_path, trained):
    (tmp_path / "psif.toml").write_bytes(b"\xff\xfe")
    assert "not valid TOML" in run("info", trained[0], code=1).stderr
    (tmp_path / "psif.toml").unlink()
    os.mkfifo(tmp_path / "psif.toml")  # nobody writes into it: reading it would never end
    assert run("info", trained[0]).stderr == ""
    assert "not a regular file" in run("--config", "psif.toml", "info", "x", code=1).stderr
