"""The page about other libraries: each section prints what it shows where its library is there."""

import re
import shlex

import pytest

from tests.cli.conftest import make_docs, run, write_jsonl  # noqa: F401
from tests.snippets import ROOT, snippets
from tests.snippets import run as run_page

PAGE = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
HEAD, *PARTS = re.split(r"^## ", PAGE, flags=re.MULTILINE)
SECTIONS = {part.partition("\n")[0]: part for part in PARTS}
PACKAGES = {
    "LangChain": "langchain_core",
    "LlamaIndex": "llama_index.core",
    "Haystack": "haystack",
    "sentence-transformers": "sentence_transformers",
    "MTEB": "mteb",
    "BERTopic": "bertopic",
    "KeyBERT": "keybert",
    "spaCy": "spacy",
    "Chroma": "chromadb",
    "LanceDB": "lancedb",
    "pandas and polars": "polars",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("section", PACKAGES)
def test_sections_print_what_they_show(section, tmp_path):
    pytest.importorskip(PACKAGES[section], reason="make test-integrations installs it")
    page = HEAD + SECTIONS[section]
    printed, _ = run_page(page, f"docs/integrations.md, {section}", tmp_path)
    assert printed == [shown or "" for _, shown in snippets(page)]


def test_every_section_with_python_is_run():
    assert {name for name, part in SECTIONS.items() if snippets(part)} == set(PACKAGES)


def test_every_adapter_is_described():
    modules = {path.stem for path in (ROOT / "src/psif/integrations").glob("*.py")}
    shared = {"__init__", "models", "fast_tokenizer"}
    named = set(re.findall(r"`psif\.integrations\.(\w+)", PAGE))
    assert named == modules - shared


@pytest.mark.filterwarnings("ignore::psif.PsifWarning")
def test_commands(run, tmp_path):  # noqa: F811
    write_jsonl(tmp_path / "my_docs.jsonl", make_docs(60))
    commands = re.findall(r"^\$ psif (.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        words = ["8" if word == "256" else word for word in shlex.split(command)]
        told = run(*words).stderr
    # The page chooses settings with which nothing differs.
    assert "differs" not in told
