"""One partition: P-SIF with K = 1 is SIF."""

from __future__ import annotations

from typing import Self

import numpy as np

from psif.types import FloatMatrix


class SinglePartition:
    """Every word belongs wholly to the one topic, with coefficient 1 (not a projection)."""

    def fit(self, vectors: FloatMatrix) -> Self:
        """Take the mean word vector as the topic's vector; nothing else is learned."""
        mean = vectors.mean(axis=0, dtype=np.float64, keepdims=True)
        norm = np.linalg.norm(mean)
        self.atoms_: FloatMatrix = (mean / norm if norm else mean).astype(np.float32)
        self.losses_: list[float] = []
        return self

    def encode(self, vectors: FloatMatrix) -> FloatMatrix:
        """Return a column of ones."""
        return np.ones((len(vectors), 1), dtype=np.float32)
