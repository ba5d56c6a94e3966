import sys

import numpy as np
import pytest
from benchmarks.resources import Meter, run_command

ALLOCATE = "import time; block = bytearray(80_000_000); time.sleep(0.3)"
FAIL = "import sys; print('out of paper', file=sys.stderr); raise SystemExit(7)"


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory of a child needs /proc")
def test_the_peak_of_a_program_is_its_own():
    ballast = np.ones(25_000_000)  # 200 MB here say nothing about the child
    small = run_command(sys.executable, "-c", "import time; time.sleep(0.3)")
    large = run_command(sys.executable, "-c", ALLOCATE)
    assert small["peak_mb"] < 60
    assert 60 < large["peak_mb"] - small["peak_mb"] < 100
    assert large["seconds"] > 0.3 > small["cpu_seconds"]
    assert ballast.nbytes == 200_000_000


def test_a_program_that_fails_is_named():
    with pytest.raises(RuntimeError, match=r"SystemExit.* ended with code 7: out of paper"):
        run_command(
            sys.executable,
            "-c",
            "import sys; print('out of paper', file=sys.stderr); raise SystemExit(7)",
        )


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_meter_counts_what_a_block_adds():
    import time

    with Meter() as meter:
        block = np.ones(10_000_000)
        time.sleep(0.1)
    assert 60 < meter.to_dict()["added_mb"] < 130
    assert meter.seconds >= 0.1 > 0.1 * meter.cpu_seconds
    assert len(block) == 10_000_000
