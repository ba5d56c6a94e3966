import threading
import time

import pytest

from psif.errors import InputError
from psif.runtime.threads import Workers, map_items, map_ranges, ranges, resolve_jobs


def test_ranges():
    assert ranges(7, 3) == [(0, 3), (3, 6), (6, 7)]
    assert ranges(0, 3) == []


def test_results_keep_their_order_whatever_finishes_first():
    def slow_first(start, stop):
        time.sleep(0.02 if start == 0 else 0)
        return list(range(start, stop))

    assert map_ranges(slow_first, 5, size=2, n_jobs=3) == [[0, 1], [2, 3], [4]]
    assert map_items(str, [1, 2, 3], n_jobs=2) == ["1", "2", "3"]


def test_threads_are_as_many_as_asked():
    seen = set()
    barrier = threading.Barrier(2, timeout=10)

    def meet(start, stop):
        seen.add(threading.get_ident())
        barrier.wait()  # passes only if two threads are here at once

    map_ranges(meet, 2, size=1, n_jobs=2)
    assert len(seen) == 2


def test_an_error_in_a_thread_reaches_the_caller():
    def fail(start, stop):
        raise ValueError(f"piece {start}")

    with Workers(2) as workers, pytest.raises(ValueError, match="piece 0"):
        workers.map(fail, ranges(4, 1))


def test_jobs():
    assert resolve_jobs(3) == 3
    assert resolve_jobs(None) == resolve_jobs(-1) >= 1
    for bad in (0, -2):
        with pytest.raises(InputError, match=f"got {bad}"):
            resolve_jobs(bad)
