"""Chroma: an embedding function."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chromadb import Documents, EmbeddingFunction
from chromadb.utils.embedding_functions import register_embedding_function

from psif.integrations.models import folder_name, opened, vectors
from psif.model.embedder import Embedder


@register_embedding_function
class PsifEmbeddingFunction(EmbeddingFunction[Documents]):
    """Vectors of a psif model for a collection of Chroma, compared by their cosine.

    A collection remembers the folder; a program that opens it has to import this module first.

    Parameters
    ----------
    model : path
        Folder of a saved model.
    """

    def __init__(self, model: str | Path) -> None:
        self._folder = folder_name(model)
        self._model: Embedder = opened(model)

    def __call__(self, input: Documents) -> Any:
        """Return one vector per text."""
        return list(vectors(self._model, input))

    @staticmethod
    def name() -> str:
        """Return the name in Chroma's registry."""
        return "psif"

    def default_space(self) -> Any:
        """Return the measure of a new collection."""
        return "cosine"

    def get_config(self) -> dict[str, Any]:
        """Return what a collection remembers."""
        return {"model": self._folder}

    @staticmethod
    def build_from_config(config: dict[str, Any]) -> PsifEmbeddingFunction:
        """Open the model that a collection remembers."""
        return PsifEmbeddingFunction(config["model"])
