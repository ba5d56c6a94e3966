"""Array types used in signatures."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatMatrix: TypeAlias = NDArray[np.float32]
FloatVector: TypeAlias = NDArray[np.float32]
DoubleMatrix: TypeAlias = NDArray[np.float64]
DoubleVector: TypeAlias = NDArray[np.float64]
IdVector: TypeAlias = NDArray[np.int32]
CountVector: TypeAlias = NDArray[np.int64]
