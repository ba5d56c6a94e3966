"""The front door: light imports, the promised names, project files that agree."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import psif

HEAVY = ("numba", "numpy", "pandas", "pyarrow", "rich", "scipy", "sklearn", "safetensors")


def loaded_after(statement):
    code = f"{statement}; import sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip().splitlines()[-1]


def test_importing_psif_loads_nothing_heavy():
    assert loaded_after("import psif") == "[]"


def test_public_names_are_there():
    assert set(dir(psif)) == set(psif.__all__)
    for name in psif.__all__:
        assert getattr(psif, name) is not None
    assert callable(psif.explain.kernels.relaxed_word_mover)
    with pytest.raises(AttributeError, match="no attribute 'PSIFF'"):
        _ = psif.PSIFF


def test_our_errors_are_one_family():
    for error in (psif.InputError, psif.FormatError):
        assert issubclass(error, psif.PsifError)
        assert issubclass(error, ValueError)
    assert issubclass(psif.MissingExtraError, ImportError)
    message = str(psif.MissingExtraError("gensim", "gensim", "Doc2Vec"))
    assert message.startswith("Doc2Vec needs the package 'gensim'.")
    assert message.endswith("pip install 'psif[gensim]'")


ROOT = Path(__file__).parents[1]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_repository_has_one_address():
    project = tomllib.loads(read("pyproject.toml"))
    source = project["project"]["urls"]["Source"]
    files = ("pyproject.toml", "CITATION.cff", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
    own = re.compile(r"https://(?:raw\.githubusercontent|github)\.com/([\w-]+/psif)\b")
    addresses = [f"https://github.com/{name}" for file in files for name in own.findall(read(file))]
    assert len(addresses) >= 7
    assert set(addresses) == {source}


def test_the_citation_names_this_version():
    assert f"\nversion: {psif.__version__}\n" in read("CITATION.cff")


def test_the_changelog_has_this_version():
    released = psif.__version__.partition(".dev")[0]
    assert f"\n## {released} (" in read("CHANGELOG.md")


def test_tests_run_on_every_python_that_the_package_names():
    project = tomllib.loads(read("pyproject.toml"))["project"]
    named = [line.rpartition(" :: ")[2] for line in project["classifiers"] if ":: 3." in line]
    matrix = re.search(r"python: \[(.*)\]", read(".github/workflows/tests.yml")).group(1)
    assert [version.strip('"') for version in matrix.split(", ")] == named
    assert project["requires-python"] == f">={named[0]}"


def test_workflows_use_pinned_actions_only():
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        used = re.findall(r"^ *(?:- )?uses: (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        for action in used:
            assert action.startswith("./") or re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), action
