import json
import subprocess
import sys


def test_an_index_survives_kills():
    """Some places here; ``python -m tests.attacks.index_kills`` tries them all."""
    command = [sys.executable, "-m", "tests.attacks.index_kills", "--points", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    assert result["failures"] == []
    assert result["tried"] == 60
