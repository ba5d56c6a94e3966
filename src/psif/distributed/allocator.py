"""Keep a worker from giving every freed array back to the system."""

from __future__ import annotations

import ctypes
import os
from functools import cache

# What Dask's nanny sets. It gives all memory back that is freed, which suits results that come and
# go; but it also stops glibc from adapting to arrays that come again and again, batch after batch,
# and each of their pages is then made and cleared anew.
_VARIABLE, _OF_DASK = "MALLOC_TRIM_THRESHOLD_", "65536"

# Parameters of mallopt (malloc.h), with the values that glibc by itself ends up at: arrays up to
# 32 MB come from the heap, which may keep 64 MB that are free.
_M_TRIM_THRESHOLD, _KEPT = -1, 1 << 26
_M_MMAP_THRESHOLD, _FROM_HEAP = -3, 1 << 25


@cache
def keep_freed_memory() -> bool:
    """Let a worker keep up to 64 MB for its next batch; whether that was done.

    Only where Dask's own default rules: another value of ``MALLOC_TRIM_THRESHOLD_`` was chosen by
    somebody, and other systems have no such function.
    """
    if os.name != "posix" or os.environ.get(_VARIABLE) != _OF_DASK:
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and all(
        [mallopt(_M_MMAP_THRESHOLD, _FROM_HEAP), mallopt(_M_TRIM_THRESHOLD, _KEPT)]
    )
