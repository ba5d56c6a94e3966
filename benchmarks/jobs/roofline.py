r"""How close our compiled loops come to the limits of the machine.

A loop of F operations that must move B bytes can run at no more than

.. math:: \min(P, \; W \cdot F / B)

with P the operations per second of a large matrix product in the number type of the loop and W the
bytes per second of a copy, both measured here with as many threads (Williams, Waterman, Patterson
2009). Bytes are what a loop must read and write once: the vector and codes of a word for each
document that has it, the vector of a document, a residual row for each atom that uses it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.jobs import Context
from benchmarks.resources import timed
from psif.types import FloatMatrix

_REPEATS = 15  # the best of many, as machines are seldom alone
_DIM, _TOPICS, _ACTIVE = 200, 40, 20


@dataclass(frozen=True)
class Kernel:
    """One loop: the work of one call, and its time."""

    name: str
    flops: float
    n_bytes: float
    seconds: float
    number: str  # "float32" or "float64"

    def to_dict(self, peaks: dict[str, float], bandwidth: float) -> dict[str, Any]:
        """Return the numbers with the ceiling and the fraction of it."""
        intensity = self.flops / self.n_bytes
        by_bytes = bandwidth * intensity
        ceiling = min(peaks[self.number], by_bytes)
        speed = self.flops / self.seconds
        return {
            **asdict(self),
            "intensity": intensity,
            "flops_per_second": speed,
            "ceiling": ceiling,
            "bound": "bytes" if by_bytes < peaks[self.number] else "operations",
            "fraction": speed / ceiling,
        }


def roofline(context: Context) -> dict[str, Any]:
    """Ceilings of the machine, and every loop against them."""
    n = context.threads
    scale = 1.0 if context.size.name == "full" else 0.25 if context.size.name == "quick" else 0.02
    peaks = {kind: _matrix_product(kind, n, scale) for kind in ("float32", "float64")}
    bandwidth = _copy(n, scale)
    kernels = [
        _omp(n, int(20_000 * scale) + 64),
        *_atoms(n, int(100_000 * scale) + 64),
        *_averaging(n, int(4_000 * scale) + 16),
    ]
    return {
        "peaks": peaks,
        "bandwidth": bandwidth,
        "kernels": [kernel.to_dict(peaks, bandwidth) for kernel in kernels],
    }


def _matrix_product(kind: str, n_threads: int, scale: float) -> float:
    """Operations per second of large products, one per thread: threads of BLAS wait for others."""
    from threadpoolctl import threadpool_limits

    side = 2000 if scale == 1.0 else 800
    a = np.random.default_rng(0).standard_normal((side, side)).astype(kind)
    products = [np.empty_like(a) for _ in range(n_threads)]
    with threadpool_limits(1):
        seconds = _spread(lambda i: np.matmul(a, a, out=products[i]), n_threads)
    return 2.0 * side**3 * n_threads / seconds


def _copy(n_threads: int, scale: float) -> float:
    """Bytes per second, read and written, of copying arrays far larger than the caches."""
    size = int(64e6 * scale) + 1_000_000
    pairs = [(np.ones(size, np.float32), np.zeros(size, np.float32)) for _ in range(n_threads)]
    seconds = _spread(lambda i: np.copyto(pairs[i][1], pairs[i][0]), n_threads)
    return 2.0 * 4 * size * n_threads / seconds


def _spread(function: Callable[[int], object], n_threads: int) -> float:
    """Best seconds of calling ``function(i)`` once on every thread, all at the same time."""
    with ThreadPoolExecutor(n_threads) as pool:
        return timed(lambda: list(pool.map(function, range(n_threads))), _REPEATS + 1)[0]


def _parts(n: int, n_threads: int) -> list[tuple[int, int]]:
    edges = np.linspace(0, n, n_threads + 1).astype(int).tolist()
    return list(pairwise(edges))


def _word_vectors(n_words: int) -> tuple[FloatMatrix, FloatMatrix]:
    """Words and topic atoms of unit norm."""
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((n_words, _DIM), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    atoms = rng.standard_normal((_TOPICS, _DIM), dtype=np.float32)
    return vectors, (atoms / np.linalg.norm(atoms, axis=1, keepdims=True)).astype(np.float32)


def _omp(n_threads: int, n_words: int) -> Kernel:
    r"""Sparse codes from correlations.

    Pick n of k takes :math:`2 n K` operations to make the pick orthogonal to those before,
    :math:`2 K` to compare, :math:`K` to scale and :math:`2 K` to subtract; the triangular solve
    :math:`k^2`.
    """
    from psif.compiled.omp import code_rows, coding_room, minus_gram

    vectors, atoms = _word_vectors(n_words)
    correlations = vectors @ atoms.T
    gram = minus_gram(atoms)
    codes = np.zeros((n_words, _TOPICS), dtype=np.float32)
    parts = _parts(n_words, n_threads)
    room = [coding_room(_TOPICS, _ACTIVE) for _ in parts]

    def run(i: int) -> None:
        mine = slice(*parts[i])
        code_rows(gram, correlations[mine], codes[mine], *room[i])

    seconds = _spread(run, n_threads)
    picks = sum(2 * n * _TOPICS + 5 * _TOPICS for n in range(_ACTIVE))
    flops = float(n_words) * (picks + _ACTIVE**2)
    return Kernel("OMP", flops, 2.0 * correlations.nbytes, seconds, "float64")


def _atoms(n_threads: int, n_words: int) -> list[Kernel]:
    """Measure the two passes of an atom's update; half of the words use the atom."""
    from psif.compiled.atoms import gather_direction, refit_coefficients

    residual, atoms = _word_vectors(n_words)
    gamma = np.random.default_rng(1).standard_normal(n_words).astype(np.float32)
    gamma[::2] = 0
    used = float((gamma != 0).sum())
    parts = _parts(n_words, n_threads)
    totals = np.zeros((n_threads, _DIM), dtype=np.float32)
    gather = _spread(lambda i: gather_direction(residual, gamma, *parts[i], totals[i]), n_threads)
    refit = _spread(
        lambda i: refit_coefficients(residual, gamma.copy(), atoms[0], atoms[0], *parts[i]),
        n_threads,
    )
    row = 4.0 * _DIM
    return [
        Kernel("atom update, direction", 2 * used * _DIM, used * row, gather, "float32"),
        Kernel("atom update, refit", 6 * used * _DIM, 2 * used * row, refit, "float32"),
    ]


def _averaging(n_threads: int, n_docs: int) -> list[Kernel]:
    r"""Documents of 160 words, with and without a component to remove.

    A distinct word adds :math:`2 k d` operations; a component takes :math:`4 K d` per
    document, on sums that are still in the cache.
    """
    from psif.compiled.average import average_documents, bag_room, tile_room
    from psif.documents.averaging import WordTopics, sorted_documents
    from psif.text.flat import FlatDocs

    rng = np.random.default_rng(0)
    n_words, length = 15_000, 160
    vectors, _ = _word_vectors(n_words)
    codes = np.zeros((n_words, _TOPICS), dtype=np.float32)
    for row in codes:
        row[rng.choice(_TOPICS, _ACTIVE, replace=False)] = rng.standard_normal(_ACTIVE)
    law = 1 / np.arange(1, n_words + 1)
    drawn = np.searchsorted(np.cumsum(law / law.sum()), rng.random(n_docs * length))
    offsets = np.arange(n_docs + 1, dtype=np.int64) * length
    ids = np.minimum(drawn, n_words - 1).astype(np.int32)
    docs = sorted_documents(FlatDocs(ids, offsets, np.diff(offsets)))
    words = WordTopics(np.ones(n_words, dtype=np.float32), codes, vectors)
    n_features = words.n_features
    component = rng.standard_normal((1, n_features)).astype(np.float32)
    component /= np.linalg.norm(component)
    distinct = float(sum(len(np.unique(one)) for one in docs))
    parts = _parts(n_docs, n_threads)
    # One block of rows per thread, reused: fresh memory costs more than the sums.
    out = [np.zeros((256, n_features), dtype=np.float32) for _ in parts]
    bags = [bag_room(length) for _ in parts]

    def run(i: int, components: FloatMatrix) -> None:
        for start in range(parts[i][0], parts[i][1], 256):
            part = docs.part(start, min(start + 256, parts[i][1]))
            average_documents(
                part.ids, part.offsets, words.weights, codes, vectors,
                components, False, *bags[i], *tile_room(_TOPICS, _DIM), out[i][: len(part)],
            )  # fmt: skip

    plain = _spread(lambda i: run(i, component[:0]), n_threads)
    removed = _spread(lambda i: run(i, component), n_threads)
    sums = 2.0 * distinct * _ACTIVE * _DIM
    moved = distinct * 4.0 * (_DIM + _TOPICS) + 4.0 * n_docs * n_features
    dots = 4.0 * n_docs * n_features
    return [
        Kernel("averaging", sums, moved, plain, "float32"),
        Kernel("averaging and removal", sums + dots, moved, removed, "float32"),
    ]
