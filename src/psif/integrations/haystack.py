"""Haystack: embedders of texts and of documents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from haystack import Document, component, default_to_dict

from psif.integrations.models import folder_name, lists, opened
from psif.model.embedder import Embedder


@component
class PsifTextEmbedder:
    """The vector of a query, as ``embedding``.

    Parameters
    ----------
    model : PSIF or path
        A fitted model, or the folder of one. A pipeline that is to be written to a file needs a
        folder; who reads it allows this module, ``allowed_modules=["psif.integrations.haystack"]``.
    """

    def __init__(self, model: Embedder | str | Path) -> None:
        self.model = model
        self._model = opened(model)

    def to_dict(self) -> dict[str, Any]:
        """Return what a pipeline's file holds."""
        return dict(default_to_dict(self, model=folder_name(self.model)))

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, list[float]]:
        """Embed a text."""
        return {"embedding": lists(self._model, [text])[0]}


@component
class PsifDocumentEmbedder:
    """Documents with their vectors, as ``documents``.

    Parameters
    ----------
    model : PSIF or path
        As for the texts.
    meta_fields_to_embed : sequence of str
        Metadata to embed with the content, each in a line before it.
    """

    def __init__(
        self, model: Embedder | str | Path, meta_fields_to_embed: list[str] | None = None
    ) -> None:
        self.model = model
        self.meta_fields_to_embed = list(meta_fields_to_embed or [])
        self._model = opened(model)

    def to_dict(self) -> dict[str, Any]:
        """Return what a pipeline's file holds."""
        settings = {"meta_fields_to_embed": self.meta_fields_to_embed}
        return dict(default_to_dict(self, model=folder_name(self.model), **settings))

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Embed documents; those given are left as they are."""
        rows = lists(self._model, [self._text(document) for document in documents])
        pairs = zip(documents, rows, strict=True)
        return {"documents": [replace(document, embedding=row) for document, row in pairs]}

    def _text(self, document: Document) -> str:
        values = [document.meta.get(name) for name in self.meta_fields_to_embed]
        parts = [str(value) for value in values if value is not None]
        return "\n".join([*parts, document.content or ""])
