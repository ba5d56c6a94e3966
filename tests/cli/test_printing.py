"""Ids and texts of other people on a terminal."""

import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import psif.cli
from psif.runtime.visible import json_visible, visible
from tests.cli.conftest import SMALL, make_docs, write_jsonl

RED = "\x1b[31mred\x1b[0m"
HOSTILE = "a\x1b]0;title\x07\x1b[2J\x9b31m\r\n\u202eevil\u2066\u200f"


def test_each_active_character_becomes_its_escape():
    assert visible(HOSTILE) == (
        "a\\x1b]0;title\\x07\\x1b[2J\\x9b31m\\r\\n\\u202eevil\\u2066\\u200f"
    )
    assert visible("one\ntwo\t\x1b", keep="\n\t") == "one\ntwo\t\\x1b"
    assert visible("\ud800") == "\\ud800"
    assert visible("Größe 漢字 \U0001f600 e\u0301 हिन्दी") == "Größe 漢字 \U0001f600 e\u0301 हिन्दी"


@given(st.text())
def test_nothing_active_is_left(text):
    shown = visible(text)
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in shown)
    assert not any(unicodedata.bidirectional(c) in BIDI for c in shown)
    assert visible(shown) == shown


@given(st.text())
def test_json_without_active_characters_has_the_same_values(text):
    written = json_visible(json.dumps({text: [text]}, ensure_ascii=False, indent=1))
    assert json.loads(written) == {text: [text]}
    assert visible(written, keep="\n") == written


def test_every_command_prints_by_these_functions():
    """Those of click and Python print whatever a text holds."""
    folder = Path(psif.cli.__file__).parent
    rules = {"printing.py", "standard_streams.py", "completion.py"}
    for path in folder.rglob("*.py"):
        if path.name not in rules:
            found = re.findall(r"(?<!\w)print\(|click\.s?echo\b", path.read_text(encoding="utf-8"))
            assert not found, path


BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.fixture
def hostile(run, tmp_path):
    """A model and vectors whose ids and words try to act on the terminal."""
    docs = make_docs(60)
    for i, doc in enumerate(docs):
        doc["id"] = f"{HOSTILE}{i}"
        doc["text"] += f" {RED}"
    write_jsonl(tmp_path / "docs.jsonl", docs)
    run("embed", "docs.jsonl", "-o", "v.parquet", *SMALL, "--tokenizer", r"\S+")
    return docs


def test_results_for_people_are_harmless_and_those_for_programs_exact(run, hostile):
    query = ["similar", "v.model", "v.parquet", "cat dog", "-n", 60]
    lines = run(*query).stdout.splitlines()
    assert len(lines) == 60
    assert all(line.isprintable() for line in lines)
    found = json.loads(run(*query, "--json").stdout)
    assert {row["id"] for row in found} == {doc["id"] for doc in hostile}
    assert "\x9b" not in run(*query, "--json").stdout
    for args in (
        ["topics", "v.model", "-n", 40],
        ["topics", "v.model", "--word", "\x1b[31mred\x1b[0m"],
        ["explain", "v.model", hostile[0]["text"], hostile[3]["text"]],
        ["info", "v.model"],
    ):
        shown = run(*args).stdout
        assert all(line.isprintable() for line in shown.splitlines()), args
    assert "\\x1b[31mred" in run("explain", "v.model", RED, f"{RED} cat").stdout


def test_errors_are_harmless(run, hostile):
    stderr = run("similar", "v.model", "v.parquet", "--id", "\x1b[2Jx", code=1).stderr
    assert "\x1b" not in stderr
    stderr = run("info", "\x1b[2Jx", code=1).stderr
    assert "\\x1b[2Jx" in stderr
    for code, *wrong in (
        [2, "\x1b[2Jx"],
        [2, "fit", "docs.jsonl", "-o", "m", "--seed", "\x1b[2Jx"],
        [1, "fit", "\x1b[2Jx.txt", "-o", "m"],
        [1, "embed", "docs.jsonl", "-o", "\x1b[2Jx"],
        [1, "vectors", "convert", "\x1b[2Jx", "y"],
    ):
        result = run(*wrong, code=code)
        assert "\\x1b[2Jx" in result.stderr
        assert "\x1b" not in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")
def test_on_a_terminal_only_our_own_colours_act(run, hostile, tmp_path):
    command = [sys.executable, "-m", "psif", "explain", "v.model", RED, f"{RED} cat"]
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "240"}
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=theirs, stderr=theirs, env=environment, close_fds=True
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            data = os.read(ours, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        shown += data
    os.close(ours)
    assert process.wait() == 0
    assert b"\x1b[" in shown  # rich's colours
    assert b"\x1b[31mred" not in shown
    assert b"\\x1b[31mred" in shown


def test_output_that_has_no_unicode(hostile, tmp_path):
    command = [sys.executable, "-m", "psif", "topics", "v.model"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for more in ([], ["--json"]):
        done = subprocess.run([*command, *more], cwd=tmp_path, env=environment, capture_output=True)
        assert done.returncode == 0, done.stderr
        done.stdout.decode("ascii")
