import json
import subprocess
import sys

import pytest

from tests.attacks.command_kills import installed


@pytest.mark.parametrize(
    "command",
    ["fit", "train", "predict-csv", "index", "export-bulk", "export-faiss", "export-duckdb"],
)
def test_commands_survive_kills(command):
    """A few places here; ``make attack`` tries more, of every command."""
    if not installed(command):
        pytest.skip("make test-integrations installs it")
    args = ["--only", command, "--points", "3", "--seed", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.attacks.command_kills", *args],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == {"tried": 3, "failures": []}
