"""spaCy: a component that sets ``doc.vector`` and what it needs for ``doc.similarity``."""

from __future__ import annotations

from typing import Any

from spacy.language import Language

from psif.integrations.models import opened, vectors
from psif.model.embedder import Embedder


@Language.factory("psif", default_config={"model": None})
class PsifComponent:
    """``nlp.add_pipe("psif", config={"model": FOLDER})`` after this module is imported.

    Parameters
    ----------
    nlp : Language
    name : str
    model : str
        Folder of a saved model.
    """

    def __init__(self, nlp: Any, name: str, model: str) -> None:
        self._model: Embedder = opened(model)

    def __call__(self, doc: Any) -> Any:
        """Give a document its vector."""
        return self._with_vectors([doc])[0]

    def pipe(self, stream: Any, batch_size: int = 512) -> Any:
        """Give documents their vectors, a batch at a time."""
        from spacy.util import minibatch

        for docs in minibatch(stream, size=batch_size):
            yield from self._with_vectors(list(docs))

    def _with_vectors(self, docs: list[Any]) -> list[Any]:
        rows = vectors(self._model, [doc.text for doc in docs])
        for doc, row in zip(docs, rows, strict=True):
            doc.vector = row
        return docs
