"""LangChain: embeddings."""

from __future__ import annotations

from pathlib import Path

from langchain_core.embeddings import Embeddings

from psif.integrations.models import opened, vectors
from psif.model.embedder import Embedder


class PsifEmbeddings(Embeddings):
    """Vectors of a psif model for any vector store of LangChain.

    Parameters
    ----------
    model : PSIF or path
        A fitted model, or the folder of one.
    """

    def __init__(self, model: Embedder | str | Path) -> None:
        self._model = opened(model)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector per text."""
        rows: list[list[float]] = vectors(self._model, texts).tolist()
        return rows

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a text."""
        return self.embed_documents([text])[0]
