"""KeyBERT: a backend."""

from __future__ import annotations

from pathlib import Path

from keybert.backend import BaseEmbedder

from psif.integrations.models import opened, vectors
from psif.model.embedder import Embedder
from psif.types import FloatMatrix


class PsifBackend(BaseEmbedder):
    """``KeyBERT(model=PsifBackend(model))``: keywords of documents by psif's vectors.

    Parameters
    ----------
    model : PSIF or path
        A fitted model, or the folder of one.
    """

    def __init__(self, model: Embedder | str | Path) -> None:
        super().__init__(embedding_model=opened(model))

    def embed(self, documents: list[str], verbose: bool = False) -> FloatMatrix:
        """Return one vector per document or word."""
        return vectors(self.embedding_model, documents)
