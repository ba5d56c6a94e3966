"""The vectors of documents as they are stored, and what lets a query pass over most of them."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from psif.errors import FormatError
from psif.runtime.blas import single_threaded_blas
from psif.runtime.threads import map_ranges
from psif.search.lists import Lists, wants_lists
from psif.types import DoubleMatrix, DoubleVector, FloatMatrix, FloatVector

# Rows that moments are summed over at a time: as float64 they take 8 MB.
_BLOCK = 4_096
# From so many rows on, their moments are stored.
_MANY = 4_096
# Rows per thread at a time.
_PIECE = 1 << 16


class Moments(NamedTuple):
    """Sums over vectors z: of z, and of the products z zᵀ.

    They give the mean and the deviation of the inner products of all documents with any query.
    """

    n: int
    total: DoubleVector
    products: DoubleMatrix

    @classmethod
    def of(cls, vectors: NDArray[np.int8], scales: FloatVector) -> Moments:
        """Sum over rows."""
        n_dims = vectors.shape[1]
        total, products = np.zeros(n_dims), np.zeros((n_dims, n_dims))
        with single_threaded_blas():
            # Block after block, so that the sums do not depend on the number of threads.
            for start in range(0, len(vectors), _BLOCK):
                block = unpacked(vectors[start : start + _BLOCK], scales[start : start + _BLOCK])
                total += block.sum(axis=0)
                products += block.T @ block
        return cls(len(vectors), total, products)

    @classmethod
    def none(cls, n_dims: int) -> Moments:
        """Return sums over nothing."""
        return cls(0, np.zeros(n_dims), np.zeros((n_dims, n_dims)))

    def __add__(self, other: Moments) -> Moments:  # type: ignore[override]
        return Moments(self.n + other.n, self.total + other.total, self.products + other.products)

    def __sub__(self, other: Moments) -> Moments:
        return Moments(self.n - other.n, self.total - other.total, self.products - other.products)

    def deviation(self, query: DoubleVector) -> float:
        """Return the deviation of all inner products; where they are equal, the size of them."""
        if not self.n:
            return 0.0
        mean = float(self.total @ query) / self.n
        squares = float(query @ self.products @ query) / self.n
        variance = squares - mean * mean
        # Rounding leaves about 1e-16 of the squares where all products are equal.
        return float(np.sqrt(variance)) if variance > 1e-12 * squares else max(0.0, mean)


@dataclass(frozen=True, eq=False)
class Rows:
    """Vectors of documents as whole numbers from -127 to 127, and a factor per document.

    Attributes
    ----------
    vectors : ndarray of int8, shape (n_docs, n_dims)
    scales : ndarray of float32, shape (n_docs,)
    heads : ndarray of int8, shape (n_blocks, 16, 1024)
    tails : ndarray of float32, shape (n_docs,)
        See :mod:`psif.compiled.ranking`.
    longest : float
        Length of the longest vector.
    stored : Moments or None
        Sums that a file has.
    lists : Lists or None
        Of neighbours, for approximate search.
    """

    vectors: NDArray[np.int8]
    scales: FloatVector
    heads: NDArray[np.int8]
    tails: FloatVector
    longest: float
    stored: Moments | None = None
    lists: Lists | None = None

    @classmethod
    def of(cls, vectors: NDArray[np.int8], scales: FloatVector) -> Rows:
        """Add what searching needs."""
        from psif.compiled.ranking import HEAD, TOGETHER, split_rows

        n_blocks = -(-len(vectors) // TOGETHER)
        heads = np.zeros((n_blocks, HEAD, TOGETHER), dtype=np.int8)
        tails = np.empty(len(vectors), dtype=np.float32)

        def work(start: int, stop: int) -> float:
            here = slice(start, stop)
            own = heads[start // TOGETHER :]
            return float(split_rows(vectors[here], scales[here], own, tails[here]))

        longest = max(map_ranges(work, len(vectors), size=_PIECE), default=0.0)
        return cls(vectors, scales, heads, tails, longest)

    @classmethod
    def none(cls) -> Rows:
        """Return what an index without a model has."""
        return cls.of(np.zeros((0, 0), dtype=np.int8), np.zeros(0, dtype=np.float32))

    def with_lists(self, approximate: bool | None) -> Rows:
        """Return these vectors with lists of neighbours, if such are wanted."""
        if not wants_lists(len(self.vectors), approximate):
            return self
        return replace(self, lists=Lists.learn(self))

    @property
    def n_dims(self) -> int:
        """Numbers per document."""
        return int(self.vectors.shape[1])

    def part(
        self, start: int, stop: int
    ) -> tuple[NDArray[np.int8], FloatVector, NDArray[np.int8], FloatVector, float]:
        """Return the arrays of some documents, as compiled loops take them.

        ``start`` is a multiple of TOGETHER.
        """
        from psif.compiled.ranking import TOGETHER

        here, heads = slice(start, stop), self.heads[start // TOGETHER :]
        return self.vectors[here], self.scales[here], heads, self.tails[here], self.longest

    def take(self, places: NDArray[np.int64]) -> DoubleMatrix:
        """Return the vectors of some documents."""
        return unpacked(self.vectors[places], self.scales[places])

    def products(self, places: NDArray[np.int64], direction: DoubleVector) -> DoubleVector:
        """Return the inner products of some documents with a direction."""
        from psif.compiled.ranking import products

        out = np.empty(len(places))
        products(self.vectors, self.scales, places, direction, out)
        return out

    @cached_property
    def moments(self) -> Moments:
        """Sums over all documents."""
        return Moments.of(self.vectors, self.scales) if self.stored is None else self.stored

    # As named arrays

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything as arrays, for a file; what is quick to count again is left out."""
        arrays: dict[str, np.ndarray] = {
            "vectors": self.vectors,
            "scales": self.scales,
            "heads": self.heads,
            "tails": self.tails,
            "vectors.longest": np.array([self.longest]),
        }
        if self.lists is not None:
            arrays |= self.lists.to_arrays()
        if len(self.vectors) >= _MANY:
            _, total, products = self.moments
            arrays |= {"vectors.total": total, "vectors.products": products}
        return arrays

    @classmethod
    def from_arrays(cls, get: Callable[..., Any], names: Container[str]) -> Rows:
        """Inverse of :meth:`to_arrays`; files of earlier versions have vectors and scales alone."""
        vectors, scales = get("vectors", np.int8, 2), get("scales", np.float32)
        if "vectors.longest" not in names:
            return cls.of(vectors, scales)
        stored = None
        if "vectors.total" in names:
            sums = get("vectors.total", np.float64), get("vectors.products", np.float64, 2)
            stored = Moments(len(vectors), *sums)
        heads, tails = get("heads", np.int8, 3), get("tails", np.float32)
        longest = float(get("vectors.longest", np.float64)[0])
        lists = Lists.from_arrays(get) if "lists.docs" in names else None
        return cls(vectors, scales, heads, tails, longest, stored, lists)

    @property
    def sizes(self) -> set[int]:
        """Documents by each of the arrays."""
        return {len(self.vectors), len(self.scales), len(self.tails)}

    def check(self) -> None:
        """Raise if the arrays are of no use: compiled loops do not look."""
        from psif.compiled.ranking import HEAD, TOGETHER

        n_blocks = -(-len(self.vectors) // TOGETHER)
        shapes = {self.heads.shape == (n_blocks, HEAD, TOGETHER)}
        numbers: list[np.ndarray] = [self.scales, self.tails, np.array(self.longest)]
        if self.stored is not None:
            n_dims = self.n_dims
            shapes |= {
                self.stored.total.shape == (n_dims,),
                self.stored.products.shape == (n_dims, n_dims),
            }
            numbers += [self.stored.total, self.stored.products]
        if self.lists is not None:
            self.lists.check(len(self.vectors), self.n_dims)
        if shapes != {True}:
            raise FormatError("the vectors are damaged: their shapes do not fit.")
        if not all(np.isfinite(array).all() for array in numbers):
            raise FormatError("the vectors hold NaN or infinity.")


def unpacked(vectors: NDArray[np.int8], scales: FloatVector) -> DoubleMatrix:
    """Return rows as they are compared."""
    return vectors * scales.astype(np.float64)[:, None]


def pack_rows(vectors: FloatMatrix) -> tuple[NDArray[np.int8], FloatVector]:
    """Round vectors to whole numbers; the error is at most 1/254 of a row's largest number."""
    scales = np.abs(vectors).max(axis=1, initial=0.0) / np.float32(127)
    rounded = np.rint(vectors / np.where(scales > 0, scales, np.float32(1))[:, None])
    return rounded.astype(np.int8), scales.astype(np.float32)
