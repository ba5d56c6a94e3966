"""Every command of the page about the command line is run, in its order."""

import contextlib
import gzip
import re
from pathlib import Path

import pytest

from psif.cli.main import COMMANDS
from tests.cli.conftest import write_jsonl

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


@pytest.mark.filterwarnings("ignore::psif.errors.PsifWarning")
def test_commands_of_the_page(run, tmp_path, monkeypatch, library):
    import shlex

    monkeypatch.delenv("PSIF_VECTORS", raising=False)
    texts = list(library.values())[::60]
    docs = [{"id": f"doc-{i}", "text": text} for i, text in enumerate(texts)]
    write_jsonl(tmp_path / "my_docs.jsonl", docs)
    (tmp_path / "reviews.csv").write_text("key,title,body\n1,t,cat dog\n2,t,ship\n")
    (tmp_path / "january.txt").write_text("cat\nship\n")
    (tmp_path / "february.txt.gz").write_bytes(gzip.compress(b"bank\n"))
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one").write_text("dog")
    commands = re.findall(r"^\$ psif (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) > 15
    for command in commands:
        run(*shlex.split(command))


def test_every_command_is_described():
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"psif {name}" not in text] == []


EVALUATION = PAGE.with_name("evaluation.md")


@pytest.mark.parametrize(
    "line", re.findall(r"^\$ psif (.*)$", EVALUATION.read_text(encoding="utf-8"), re.MULTILINE)
)
def test_commands_about_evaluation_are_well_formed(line, tmp_path, monkeypatch):
    """They take an hour or a network: only their arguments are read."""
    import shlex

    import click

    from psif.cli.main import psif

    monkeypatch.chdir(tmp_path)
    for name in ("train.json.zip", "reviews.csv", "r8-train-all-terms.txt", "corpus.jsonl"):
        (tmp_path / name).write_text("")
    command, words = psif, shlex.split(line)
    context = click.Context(psif)
    while isinstance(command, click.Group):
        _, command, words = command.resolve_command(context, words)
    with contextlib.suppress(click.exceptions.Exit):  # --list has printed its list
        command.make_context(command.name, words, parent=context)
