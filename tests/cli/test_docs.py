"""Every command of the page about the command line is run, in its order."""

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
