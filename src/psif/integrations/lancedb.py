"""LanceDB: a function of its embedding registry."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from lancedb.embeddings import TextEmbeddingFunction, register

from psif.integrations.models import opened, vectors
from psif.model.embedder import Embedder


@register("psif")
class PsifFunction(TextEmbeddingFunction):
    """``get_registry().get("psif").create(model=FOLDER)`` after this module is imported.

    Attributes
    ----------
    model : str
        Folder of a saved model.
    """

    model: str

    @cached_property
    def _embedder(self) -> Embedder:
        return opened(self.model)

    def ndims(self) -> int:
        """Return the number of dimensions."""
        return self._embedder.n_features_out_

    def generate_embeddings(self, texts: Any, *args: Any, **options: Any) -> list[np.ndarray]:
        """Return one vector per text."""
        return list(vectors(self._embedder, texts))
