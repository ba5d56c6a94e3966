"""Pages that the system has to make anew, counted in processes of their own."""

import ctypes
import mmap
import os
import subprocess
import sys

import pytest

CODE = """
import resource
import numpy as np
from psif.distributed.allocator import keep_freed_memory

def made(n_arrays=100):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(n_arrays):
        np.ones(1 << 20, dtype=np.uint8)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

before = made()
print(keep_freed_memory(), before, made())
"""
PAGES = 100 * (1 << 20) // mmap.PAGESIZE


def faults(threshold):
    environment = {**os.environ, "MALLOC_TRIM_THRESHOLD_": threshold}
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env=environment, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    kept, before, after = done.stdout.split()
    return kept == "True", int(before), int(after)


@pytest.mark.skipif(
    os.name != "posix" or not hasattr(ctypes.CDLL(None), "mallopt"), reason="not glibc"
)
def test_arrays_that_come_again_cost_no_new_pages():
    kept, before, after = faults("65536")
    assert kept
    assert before >= PAGES
    assert after < PAGES // 10


def test_what_somebody_chose_stays():
    kept, _, _ = faults("65537")
    assert not kept
