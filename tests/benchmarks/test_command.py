"""The command, on the smallest measurements."""

import json
import re
import shlex
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "bench.md"
TINY = ("--tiny", "--only", "roofline")


@pytest.fixture
def no_data(monkeypatch):
    monkeypatch.delenv("PSIF_DATA", raising=False)
    monkeypatch.delenv("PSIF_VECTORS", raising=False)


def test_report_json_and_guard(run, tmp_path, no_data):
    done = run(*TINY, "-o", "first", "--json")
    first = json.loads(done.stdout)
    assert [name.split("/")[0] for name in first["measurements"]] == ["roofline"]
    assert (tmp_path / "first" / "bench.html").exists()

    # The same measurements again, from the cache: nothing is worse.
    again = run(*TINY, "-o", "second", "--cache", "first/measured", "--compare", "first/bench.json")
    assert "roofline" not in again.stderr
    assert "share of the roofline" in again.stdout

    run("--report", "first/bench.json", "-o", "written-again")
    page = (tmp_path / "first" / "bench.md").read_text(encoding="utf-8")
    assert (tmp_path / "written-again" / "bench.md").read_text(encoding="utf-8") == page

    kernels = next(iter(first["measurements"].values()))["values"]["kernels"]
    for kernel in kernels:
        kernel["fraction"] *= 4
    Path("best.json").write_text(json.dumps(first))
    args = (*TINY, "-o", "third", "--cache", "first/measured", "--compare", "best.json")
    worse = run(*args, code=3)
    assert worse.stderr.count("75% worse") == len(kernels)

    Path("other.json").write_text(json.dumps({**first, "size": "full"}))
    refused = run(*TINY, "-o", "x", "--cache", "first/measured", "--compare", "other.json", code=1)
    assert "compare a quick run with a quick run" in str(refused.exception)


def test_wrong_names_are_explained(run, no_data):
    done = run("--quick", "--only", "nonsense", code=1)
    assert "unknown measurement 'nonsense'" in str(done.exception)


def test_commands_of_the_page(run, tmp_path, no_data):
    """They are understood; what they would measure takes minutes."""
    commands = re.findall(
        r"^\$ python -m benchmarks(.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(commands) > 5
    (tmp_path / "results").mkdir()
    for name in ("bench.json", "bench-quick.json"):
        (tmp_path / "results" / name).write_text("{}")
    for command in commands:
        assert run(*shlex.split(command), "--list").stdout.strip()
    with_what_it_needs = run("--only", "embed/tfidf/1", "--list").stdout.split()
    assert [name.split("/")[:2] for name in with_what_it_needs] == [
        ["fit", "tfidf"], ["embed", "tfidf"],
    ]  # fmt: skip


def test_the_page_names_every_peer_and_every_group():
    from benchmarks.peers import NAMES
    from benchmarks.plan import make_plan
    from benchmarks.sizes import SIZES

    text = PAGE.read_text(encoding="utf-8")
    groups = {job.words[0] for job in make_plan(SIZES["full"], 2)}
    assert [name for name in (*NAMES, *groups) if f"`{name}`" not in text] == []
