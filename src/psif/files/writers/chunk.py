"""A piece of the output: ids and vectors, as the chosen number type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from psif.errors import InputError
from psif.files.readers.ids import check_ids
from psif.types import FloatMatrix, FloatVector

# The scale of a smaller vector would have too few digits: such a vector is zero.
_LEAST_PEAK = 1e-30
DTYPES = ("float32", "float16", "int8")


@dataclass(frozen=True)
class Chunk:
    """Rows of the output; ``scales`` only with int8, where a vector is ``scale * row``."""

    ids: Sequence[str]
    vectors: NDArray[Any]
    scales: FloatVector | None = None


def make_chunk(ids: Sequence[str], vectors: FloatMatrix, dtype: str) -> Chunk:
    """Round vectors to ``dtype``; ids must be valid Unicode.

    int8 maps each vector's largest magnitude to 127: the cosine of two vectors needs no scales,
    their length does.
    """
    check_ids(ids)
    if dtype == "float32":
        return Chunk(ids, np.ascontiguousarray(vectors, dtype="<f4"))
    if dtype == "float16":
        largest = float(np.abs(vectors).max(initial=0.0))
        if largest > 65504:
            raise InputError(f"float16 holds no number above 65504, and {largest:.3g} occurs.")
        return Chunk(ids, vectors.astype("<f2"))
    if dtype == "int8":
        peaks = np.abs(vectors).max(axis=1, initial=0.0)
        scales = np.where(peaks > _LEAST_PEAK, peaks / 127, 1).astype("<f4")
        return Chunk(ids, np.rint(vectors / scales[:, None]).astype(np.int8), scales)
    raise InputError(f"dtype must be one of {', '.join(DTYPES)}; got {dtype!r}.")
