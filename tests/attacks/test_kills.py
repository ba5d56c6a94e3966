import json
import subprocess
import sys

import pytest

from psif.files.writers import FORMATS


@pytest.mark.parametrize("ending", FORMATS)
def test_embed_survives_kills(ending):
    """A few places per format here; ``make attack`` tries them all."""
    command = [sys.executable, "-m", "tests.attacks.kills", "--format", ending, "--points", "6"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    assert result["failures"] == []
    assert result["tried"] == 6
