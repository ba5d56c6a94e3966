r"""Word vectors and codes in fewer bytes.

"float16" keeps eleven bits of each number. "int8" keeps, per word, whole numbers from -127 to 127
and their scale: :math:`x \approx \mathrm{scale} \cdot q`, with the largest number of the word at
127. Zeros stay zeros, so codes stay sparse. Models are computed with in float32 always.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from psif.errors import FormatError, InputError

DTYPES = ("float32", "float16", "int8")
# The two arrays that nearly all bytes of a model are in.
MODEL_ARRAYS = ("vectors", "codes")
_SCALES = "_scales"
_LARGEST_HALF = 65504.0


def check_dtype(dtype: str) -> None:
    """Refuse an unknown number type."""
    if dtype not in DTYPES:
        raise InputError(f"dtype must be one of {', '.join(DTYPES)}; got {dtype!r}.")


def pack(
    arrays: Mapping[str, np.ndarray], dtype: str, names: Sequence[str] = MODEL_ARRAYS
) -> dict[str, np.ndarray]:
    """Return the arrays with those of the given names as ``dtype``."""
    check_dtype(dtype)
    packed = dict(arrays)
    for name in names if dtype != "float32" else ():
        if dtype == "float16":
            packed[name] = _to_float16(packed[name])
            continue
        peaks = np.abs(packed[name]).max(axis=1, initial=0.0)
        scales = np.where(peaks > 0, peaks / 127, 1).astype(np.float32)
        packed[name + _SCALES] = scales
        packed[name] = np.rint(packed[name] / scales[:, None]).astype(np.int8)
    return packed


def unpack(
    arrays: Mapping[str, np.ndarray], names: Sequence[str] = MODEL_ARRAYS
) -> dict[str, np.ndarray]:
    """Return the arrays as they are computed with; other types are left alone."""
    found = dict(arrays)
    for name in names:
        array, scales = found.get(name), found.pop(name + _SCALES, None)
        if array is None:
            continue
        if array.dtype == np.float16:
            found[name] = array.astype(np.float32)
        elif array.dtype == np.int8:
            if scales is None or scales.dtype != np.float32 or scales.shape != array.shape[:1]:
                raise FormatError(f"'{name}' is int8, but its scales are missing or do not fit.")
            found[name] = array * scales[:, None]
        elif scales is not None:
            raise FormatError(f"'{name}' has scales, but is {array.dtype}.")
    return found


def _to_float16(array: np.ndarray) -> np.ndarray:
    """Round to float16; numbers that it cannot hold are refused."""
    largest = float(np.abs(array).max(initial=0.0))
    if largest > _LARGEST_HALF:
        raise InputError(f"float16 holds no number above 65504, and {largest:.3g} occurs.")
    return array.astype(np.float16)
