"""LangChain: embeddings, and a retriever over an index."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from pydantic import field_validator

from psif.errors import InputError, PsifWarning
from psif.integrations.models import lists, opened
from psif.model.embedder import Embedder
from psif.search.index import Index
from psif.search.scoring import LEXICAL


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
        return lists(self._model, texts)

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a text."""
        return lists(self._model, [text])[0]


class PsifRetriever(BaseRetriever):
    """The hits of a :class:`psif.Index`, by exact words and by topics, without a vector store.

    A document has the id of its hit; the metadata are those of the index, with ``score`` and
    ``rank``.

    Attributes
    ----------
    index : Index or path
        An index, or the folder of one.
    k : int
        Documents at most.
    where : str, optional
        A condition on the metadata, as in :meth:`psif.Index.search`.
    lexical : float
        Weight of exact words beside topics, from 0 to 1.
    """

    index: Any
    k: int = 10
    where: str | None = None
    lexical: float = LEXICAL

    @field_validator("index", mode="before")
    @classmethod
    def _open(cls, index: Any) -> Index:
        if isinstance(index, str | Path):
            return Index.load(index)
        if not isinstance(index, Index):
            raise InputError(
                f"expected a psif.Index or the folder of one, got {type(index).__name__}."
            )
        return index

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        with warnings.catch_warnings():
            # A query of unknown words has no hits, which is answer enough here.
            warnings.simplefilter("ignore", PsifWarning)
            hits = self.index.search(query, self.k, self.where, lexical=self.lexical)
        return [
            Document(
                id=hit.id,
                page_content=hit.text,
                metadata={**hit.metadata, "score": hit.score, "rank": hit.rank},
            )
            for hit in hits
        ]
