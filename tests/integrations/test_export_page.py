"""The page about exports: its commands run, and its hybrid search finds what it should."""

import re
import shlex

import pytest

from psif.integrations.stores.catalogue import STORES, store_class
from psif.search.scoring import LEXICAL
from tests.cli.conftest import make_docs, run, write_jsonl  # noqa: F401
from tests.snippets import ROOT, snippets

PAGE = (ROOT / "docs" / "export.md").read_text(encoding="utf-8")


def test_every_store_and_its_limit_is_described():
    for name, entry in STORES.items():
        (row,) = re.findall(rf"^\| `{name}` \|.*$", PAGE, re.MULTILINE)
        if entry.package:
            assert f"`psif[{name}]`" in row
            pytest.importorskip(entry.package, reason="make test-integrations installs it")
        most = store_class(name).most_dims
        assert ("any" if most is None else f"{most:,}") in row


def test_the_weight_is_that_of_psif_search():
    assert f"weight={1 - LEXICAL}" in PAGE


@pytest.mark.filterwarnings("ignore::psif.errors.PsifWarning")
def test_commands_and_hybrid_search(run, tmp_path, capsys):  # noqa: F811
    pytest.importorskip("lancedb", reason="make test-integrations installs it")
    write_jsonl(tmp_path / "my_docs.jsonl", make_docs(90))
    (tmp_path / "psif.toml").write_text("[fit]\ntopics = 3\n")
    commands = re.findall(r"^\$ psif (.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        words = shlex.split(command)
        run(*(["16" if word == "64" else word for word in words]))
    ((code, _),) = snippets(PAGE)
    exec(code, {})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    assert all(line.startswith("sea-") for line in lines)
