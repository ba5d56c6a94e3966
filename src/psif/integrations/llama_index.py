"""LlamaIndex: an embedding model."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from pydantic import PrivateAttr

from psif.integrations.models import lists, opened
from psif.model.embedder import Embedder


class PsifEmbedding(BaseEmbedding):
    """Vectors of a psif model for the indexes of LlamaIndex.

    Parameters
    ----------
    model : PSIF or path
        A fitted model, or the folder of one.
    **options
        Of LlamaIndex, as ``embed_batch_size``.
    """

    _model: Embedder = PrivateAttr()

    def __init__(self, model: Embedder | str | Path, **options: Any) -> None:
        name = str(model) if isinstance(model, str | Path) else "psif"
        super().__init__(**{"model_name": name, **options})
        self._model = opened(model)

    @classmethod
    def class_name(cls) -> str:
        """Return the name in LlamaIndex's records."""
        return "PsifEmbedding"

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return lists(self._model, texts)

    def _get_text_embedding(self, text: str) -> list[float]:
        return lists(self._model, [text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return lists(self._model, [query])[0]

    # Threads keep the event loop free: the compiled loops release the interpreter lock.

    async def _aget_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)
