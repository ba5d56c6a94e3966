"""Products of tall matrices, in blocks of rows over our own threads.

The threads of a BLAS library wait for one another by spinning, which on a busy machine costs
several times what the threads gain. The order of their sums, and so the last bits of a result,
depends on their number. Here BLAS runs in one thread, the blocks depend only on the data, and
partial sums are added in the order of the blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from psif.runtime.threads import map_ranges
from psif.types import DoubleMatrix, FloatMatrix

ROWS_A_BLOCK = 8192


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Limit BLAS to one thread; call the functions below inside this context."""
    # scipy has its own BLAS library. A library that is loaded later would not be limited.
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, user_api="blas"):
        yield


@contextmanager
def single_threaded_libraries() -> Iterator[None]:
    """Keep BLAS and OpenMP to one thread within, for scikit-learn's k-means and mixtures.

    The threads of OpenMP add up their shares in the order in which they finish. Only libraries
    that are loaded already are kept to one thread: import first.
    """
    from threadpoolctl import threadpool_limits

    with single_threaded_blas(), threadpool_limits(1, user_api="openmp"):
        yield


def tall_product(tall: FloatMatrix, small: FloatMatrix, *, n_jobs: int | None) -> FloatMatrix:
    """Return ``tall @ small``."""
    out = np.empty((len(tall), small.shape[1]), dtype=np.float32)

    def work(start: int, stop: int) -> None:
        np.matmul(tall[start:stop], small, out=out[start:stop])

    map_ranges(work, len(tall), size=ROWS_A_BLOCK, n_jobs=n_jobs)
    return out


def inner_product(a: FloatMatrix, b: FloatMatrix, *, n_jobs: int | None) -> DoubleMatrix:
    """Return ``a.T @ b``; blocks are added in double precision."""

    def work(start: int, stop: int) -> FloatMatrix:
        product: FloatMatrix = a[start:stop].T @ b[start:stop]
        return product

    total = np.zeros((a.shape[1], b.shape[1]))
    for part in map_ranges(work, len(a), size=ROWS_A_BLOCK, n_jobs=n_jobs):
        total += part
    return total
