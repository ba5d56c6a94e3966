import shutil
from pathlib import Path

import pytest

import psif
from psif.evaluation.paper.examples import TASK as EXAMPLES
from psif.evaluation.runner.cache_key import job_code
from psif.evaluation.runner.code_digest import code_digest, reached_modules
from psif.evaluation.tasks import TASKS


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package whose files may be changed."""
    folder = tmp_path / "psif"
    shutil.copytree(Path(psif.__file__).parent, folder, ignore=shutil.ignore_patterns("*.pyc"))
    monkeypatch.setattr(psif, "__file__", str(folder / "__init__.py"))
    return folder


def digest(method="psif", task="r8"):
    return job_code(EXAMPLES if task == "examples" else TASKS[task], method)


def change(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_imports_are_followed_into_functions_and_not_into_type_checking():
    found = reached_modules(["psif.baselines.tfidf"])
    # tfidf -> base -> vocabulary -> word_index -> the compiled scan, imported inside a function.
    assert {"psif.baselines.base", "psif.text.vocabulary", "psif.compiled.word_scan"} <= found
    assert "psif.baselines.lda" not in found
    assert reached_modules(["psif.errors", "json", "psif.nothing"]) == {"psif.errors"}


def test_a_changed_number_changes_the_digest_of_all_that_passes_through_it(package):
    before = digest("tfidf"), digest("psif"), digest("lda")
    change(package / "baselines" / "lda.py", "max_iter: int = 10", "max_iter: int = 11")
    assert (digest("tfidf"), digest("psif")) == before[:2]
    assert digest("lda") != before[2]
    change(package / "text" / "flat.py", "_BLOCK = 1 << 22", "_BLOCK = 1 << 21")
    after = digest("tfidf"), digest("psif"), digest("lda")
    assert not set(after) & set(before)


@pytest.mark.parametrize(
    "name",
    [
        "compiled/word_scan.py", "documents/weights.py", "partitions/dictionary.py",
        "model/presets.py", "vectors/ppmi.py", "classify/folds.py",
        "classify/metrics.py", "evaluation/runner/protocols.py",
        "evaluation/tasks/r8.py", "evaluation/data/folders.py", "classify/linear/newton.py",
    ],
)  # fmt: skip
def test_code_that_makes_a_score_is_in_the_digest(package, name):
    before = digest()
    path = package / name
    path.write_text(path.read_text("utf-8") + "\n_MORE = 1\n", "utf-8")
    assert digest() != before


@pytest.mark.parametrize(
    "name",
    [
        "cli/main.py", "explain/topics.py", "model/card.py", "version.py",
        "evaluation/paper/pages.py", "evaluation/paper/published.py", "evaluation/tasks/sts12.py",
    ],
)  # fmt: skip
def test_code_that_makes_no_score_is_not(package, name):
    before = digest()
    path = package / name
    path.write_text(path.read_text("utf-8") + "\n_MORE = 1\n", "utf-8")
    assert digest() == before


def test_comments_and_docstrings_do_not_count(package):
    before = digest()
    path = package / "text" / "flat.py"
    text = path.read_text("utf-8")
    assert text.startswith('"""')
    path.write_text('"""Other words."""\n# A remark.\n' + text[text.index("\n") :], "utf-8")
    assert digest() == before


def test_data_files_count_where_a_task_reads_them(package):
    before = digest(), digest(task="examples")
    change(package / "evaluation" / "paper" / "tables" / "examples.csv", "motorcycle", "bicycle")
    assert digest() == before[0]
    assert digest(task="examples") != before[1]


def test_the_digest_is_short_and_stable():
    assert code_digest(["psif.errors"]) == code_digest(["psif.errors", "psif.errors"])
    assert len(code_digest(["psif.errors"])) == 12


def test_plain_imports_name_modules_too(package):
    path = package / "errors.py"
    before = reached_modules(["psif.errors"])
    path.write_text(path.read_text("utf-8") + "\nimport psif.text.flat\n", "utf-8")
    assert before == {"psif.errors"}
    found = reached_modules(["psif.errors"])
    assert {"psif.errors", "psif.text.flat", "psif.runtime.threads"} <= found
    assert not [name for name in found if name.endswith(".")]
