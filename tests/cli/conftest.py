import json

import numpy as np
import pytest
from click.testing import CliRunner

from psif.cli.main import psif
from psif.files import standard_library

SUBJECTS = {
    "animals": ["cat", "dog", "horse", "cow", "sheep", "purr", "bark", "graze", "meadow", "fur"],
    "money": [
        "bank",
        "stock",
        "market",
        "price",
        "fall",
        "rise",
        "trade",
        "bond",
        "profit",
        "loan",
    ],
    "sea": ["ship", "wave", "sail", "harbour", "storm", "captain", "anchor", "tide", "fish", "net"],
}
SMALL = ["-k", "3", "--set", "dim=8", "--set", "min_count=1", "--set", "word_columns=0"]


def make_docs(n_docs, seed=0):
    rng = np.random.default_rng(seed)
    names = list(SUBJECTS)
    docs = []
    for i in range(n_docs):
        subject = names[i % 3]
        words = [*rng.choice(SUBJECTS[subject], 12).tolist(), "the", "and"]
        docs.append({"id": f"{subject}-{i}", "text": " ".join(words), "n": i})
    return docs


def write_jsonl(path, docs):
    path.write_text("".join(json.dumps(doc) + "\n" for doc in docs), encoding="utf-8")
    return path


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Call psif in an empty folder; a failure that was not expected shows its output."""
    monkeypatch.chdir(tmp_path)

    def call(*args, code=0, stdin=None):
        result = CliRunner().invoke(psif, [str(arg) for arg in args], input=stdin)
        assert result.exit_code == code, result.output
        if code:
            assert "Traceback" not in result.output
        if code == 1:
            lines = result.stderr.strip().splitlines()
            assert sum(line.startswith("Error: ") for line in lines) == 1
        return result

    return call


@pytest.fixture(scope="session")
def library():
    """The documentation strings that the demonstration reads."""
    return standard_library.docstrings()


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """A model of three subjects, its documents and their vectors: (model, docs, vectors)."""
    folder = tmp_path_factory.mktemp("trained")
    docs = write_jsonl(folder / "docs.jsonl", make_docs(90))
    args = ["embed", docs, "-o", folder / "v.parquet", *SMALL]
    result = CliRunner().invoke(psif, [str(arg) for arg in args])
    assert result.exit_code == 0, result.output
    return folder / "v.model", docs, folder / "v.parquet"
