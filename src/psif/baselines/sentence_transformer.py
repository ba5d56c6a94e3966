"""A sentence-transformers folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from psif.baselines.static_model import StaticModel
from psif.errors import MissingExtraError
from psif.types import FloatMatrix


@dataclass(eq=False, repr=False)
class SentenceTransformer(StaticModel):
    """The vectors of a saved sentence transformer; nothing is learned from the documents.

    A transformer reads the first tokens of a document only, as many as its ``max_seq_length``.

    Parameters
    ----------
    path : str or Path
        A folder that sentence-transformers saved. Nothing is downloaded.
    batch_size : int, default=32

    References
    ----------
    .. [1] Reimers, Gurevych (2019), "Sentence-BERT: sentence embeddings using siamese
       BERT-networks".
    """

    batch_size: int = 32

    def _open(self, folder: Path) -> Any:
        try:
            from sentence_transformers import SentenceTransformer as Model
        except ImportError as error:
            raise MissingExtraError(
                "sentence-transformers", "sentence-transformers", "a sentence transformer"
            ) from error
        return Model(str(folder), device="cpu", local_files_only=True)

    def _encode(self, documents: list[str]) -> FloatMatrix:
        vectors = self.model_.encode(
            documents, batch_size=self.batch_size, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(vectors, dtype=np.float32)
