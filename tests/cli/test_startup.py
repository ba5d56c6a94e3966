"""What a command does not need it does not wait for."""

import subprocess
import sys

import pytest

# Imports that cost more than the work on a small file.
SLOW = ("sklearn", "pandas", "matplotlib", "dask")


def slow_imports(folder, *args):
    code = (
        "import sys; from psif.cli.main import psif; psif(sys.argv[1:], standalone_mode=False); "
        f"print([m for m in {SLOW!r} if m in sys.modules])"
    )
    command = [sys.executable, "-c", code, *map(str, args)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    "args",
    [
        ("embed", "docs.jsonl", "--model", "v.model", "-o", "new.parquet"),
        ("embed", "docs.jsonl", "-o", "fitted.npy", "-k", "2", "--set", "dim=4"),
        ("fit", "docs.jsonl", "-o", "fitted.model", "-k", "2", "--set", "dim=4"),
        ("topics", "v.model"),
        ("topics", "v.model", "--word", "bank"),
        ("explain", "v.model", "cat and dog", "stock and bond"),
        ("similar", "v.model", "v.parquet", "cat and dog"),
        ("info", "v.model"),
    ],
    ids=lambda args: " ".join(args[:3]),
)
def test_scikit_learn_is_not_imported(trained, args):
    assert slow_imports(trained[0].parent, *args) == "[]"
