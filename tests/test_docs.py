"""The documentation: its code runs, its names exist, and it needs no network."""

import ast
import importlib
import inspect
import re
import subprocess
import sys

import pytest

import psif
from psif import distributed, evaluation
from psif.baselines import METHODS
from psif.explain import Explanation
from psif.files.readers import ReadOptions
from psif.model.known_words import OPTIONS_OF_WORDS
from psif.model.presets import PRESETS
from psif.model.retired_settings import IN_TRAIN_OPTIONS, RENAMED, RETIRED
from psif.vectors.trainers import TRAINERS
from tests.snippets import ROOT, check, snippets

DOCS = ROOT / "docs"
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
PAGES["README.md"] = (ROOT / "README.md").read_text(encoding="utf-8")
RUN_HERE = (
    "architecture.md", "dedupe.md", "explain.md", "group.md", "model-files.md", "python.md",
    "search.md",
)  # fmt: skip
# Public classes and functions whose parameters a page may name.
CALLABLES = (
    psif.PSIF, psif.PSIFClassifier, psif.Tokenizer, psif.WordVectors, psif.embed_batch,
    psif.find_duplicates, psif.Groups, psif.Index, Explanation, ReadOptions,
    distributed.fit, distributed.transform, evaluation.run, evaluation.labelled_files,
)  # fmt: skip


@pytest.mark.parametrize("page", RUN_HERE)
@pytest.mark.filterwarnings("ignore::psif.PsifWarning")
def test_pages_print_what_they_show(page, tmp_path):
    check(DOCS / page, tmp_path)


def parameters():
    """All names that a call in the documentation may give."""
    names = {"self", *OPTIONS_OF_WORDS}
    for item in CALLABLES:
        members = [item, *vars(item).values()] if inspect.isclass(item) else [item]
        if inspect.isclass(item):
            members += [getattr(item, name) for name in dir(item) if not name.startswith("_")]
        for member in members:
            if callable(member) or isinstance(member, classmethod):
                function = getattr(member, "__func__", member)
                try:
                    names.update(inspect.signature(function).parameters)
                except (TypeError, ValueError):
                    continue
    for method in METHODS.values():
        module, _, attribute = method.target.partition(":")
        names.update(
            inspect.signature(getattr(importlib.import_module(module), attribute)).parameters
        )
    for method in TRAINERS:
        trainer = getattr(importlib.import_module(f"psif.vectors.{method}"), method)
        names.update(inspect.signature(trainer).parameters)
    return names


def arguments_of_psif(code):
    """Keyword arguments that Python code gives to PSIF, Embedder or from_preset."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call):
            function = node.func
            name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            if name in ("PSIF", "Embedder", "from_preset"):
                yield from (keyword.arg for keyword in node.keywords if keyword.arg)


@pytest.mark.parametrize("page", sorted(PAGES))
def test_settings_on_pages_exist(page):
    text = PAGES[page]
    settings = set(inspect.signature(psif.PSIF).parameters)
    for code, _ in snippets(text):
        wrong = set(arguments_of_psif(code)) - settings - {"n_topic"}  # misspelt on purpose
        assert not wrong, f"{page}: PSIF has no setting {wrong}"
    known = parameters()
    for code in inline_code(text):
        # Calls of other functions and options of commands have their own names.
        if re.match(r"[a-z][a-z_]*=|PSIF\(|Embedder\(", code):
            given = set(re.findall(r"(?<![\w.-])([a-z][a-z_]*)=(?!=)", code))
            assert given <= known, f"{page}: `{code}` names an unknown parameter"


def inline_code(text):
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"`([^`\n]+)`", prose)


# "compact" is a preset too.
GONE = (set(RENAMED) | set(RETIRED)) - {
    *("init", "progress", "sparse", "dtype", "tol", "covariance", "compact")
}


@pytest.mark.parametrize("page", sorted(PAGES))
def test_pages_name_no_retired_setting(page):
    named = set(re.findall(r"`(\w+)(?:=[^`]*)?`", PAGES[page]))
    assert not named & GONE, "these settings are gone"
    assert set(IN_TRAIN_OPTIONS) == set(OPTIONS_OF_WORDS)


def test_every_preset_is_described():
    for page in ("python.md", "method.md"):
        assert set(re.findall(r"^\| `(\w+)` \|", PAGES[page], re.MULTILINE)) >= set(PRESETS)


def test_every_setting_is_described():
    missing = [
        name
        for name in inspect.signature(psif.PSIF).parameters
        if f"`{name}`" not in PAGES["python.md"]
    ]
    assert missing == []


def test_every_public_name_is_in_the_reference():
    text = PAGES["reference.md"]
    documented = set(re.findall(r"^\.\. auto\w+:: ([\w.]+)", text, re.MULTILINE))
    names = {f"psif.{name}" for name in psif.__all__ if name != "__version__"}
    names |= {f"psif.distributed.{name}" for name in distributed.__all__}
    names |= {f"psif.evaluation.{name}" for name in evaluation.__all__}
    # Errors are documented by their module, kernels too.
    modules = {"psif.kernels"} | {
        f"psif.{name}" for name in psif.__all__ if hasattr(psif.errors, name)
    }
    assert {"psif.errors", "psif.explain.kernels"} <= documented
    assert names - modules - documented == set()
    assert re.search(r"autoclass:: psif.Embedder\n +:members:\n +:inherited-members:", text)


def test_the_picture_of_the_packages_is_current(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    picture = importlib.import_module("architecture")
    described = {name for band in picture.PACKAGES.values() for name in band}
    folders = {path.parent.name for path in (ROOT / "src" / "psif").glob("*/__init__.py")}
    assert described - {"errors, types, version"} == folders, (
        "edit PACKAGES in docs/architecture.py"
    )
    drawn = (DOCS / "_static" / "architecture.svg").read_text(encoding="utf-8")
    assert drawn == picture.architecture_svg(), "run python docs/pictures.py architecture"
    table = set(re.findall(r"^\| `(\w+)` \|", PAGES["architecture.md"], re.MULTILINE))
    assert table == folders


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("furo", reason="the tools for the documentation are not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-b",
        "html",
        str(DOCS),
        str(folder),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_needs_no_network(site):
    pages = list(site.glob("*.html"))
    assert len(pages) > len(PAGES) - 1
    loaded = re.compile(r"""<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=["']([^"']+)""")
    for page in pages:
        for address in loaded.findall(page.read_text(encoding="utf-8")):
            assert not re.match(r"(https?:)?//", address), f"{page.name}: {address}"
    for style in site.rglob("*.css"):
        assert not re.search(
            r"(url\(|@import)[\s\"']*(https?:)?//", style.read_text(encoding="utf-8")
        )


def test_formulas_are_drawn_by_the_browser(site):
    page = (site / "method.html").read_text(encoding="utf-8")
    assert page.count("<math ") > 40
    assert "$$" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert "\\" not in "".join(re.findall(r"<math .*?</math>", page, re.DOTALL))
