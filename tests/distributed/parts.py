"""Partitions that misbehave, in functions that workers can import."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np


def hog(items, folder, always=False):
    """Take more memory than a worker has: once, or while a file says so."""
    items = list(items)
    trigger = Path(folder) / "hog"
    if items and items[0][0] == "doc 0" and trigger.exists():
        if not always:
            trigger.unlink()
        held = [np.ones(1_200_000_000 // 8)]
        time.sleep(30)
        held.clear()
    return items


def held(items, out):
    """Once three partitions are written, wait for a file that says to go on."""
    out = Path(out)
    for _ in range(3000):  # a minute: a test that fails should also end
        if len(list(out.glob("part-*.parquet"))) < 3 or (out.parent / "go").exists():
            break
        time.sleep(0.02)
    return items


def look_first_in(folder):
    sys.path.insert(0, folder)


def look_no_more_in(folder):
    sys.path.remove(folder)
