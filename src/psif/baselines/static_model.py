"""A model2vec table: averages of its own token vectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from psif.baselines.base import TextMethod
from psif.errors import InputError, MissingExtraError
from psif.text.checks import check_text, check_texts
from psif.types import FloatMatrix


@dataclass(eq=False, repr=False)
class StaticModel(TextMethod):
    """The vectors of a static model2vec folder; nothing is learned from the documents.

    Documents are taken whole: the package's own cut at 512 tokens is switched off.

    Parameters
    ----------
    path : str or Path
        A folder that model2vec saved. Nothing is downloaded.

    References
    ----------
    .. [1] Tulkens, van Dongen (2024), "Model2Vec: fast state-of-the-art static embeddings".
    """

    path: str | Path | None = None

    def fit(self, texts: Iterable[str], y: Any = None) -> Self:
        """Open the model."""
        self.model_ = self._open(existing_folder(self.path))
        self.n_features_out_ = int(self._encode([""]).shape[1])
        return self

    def fit_transform(self, texts: Iterable[str], y: Any = None) -> FloatMatrix:
        """Open the model and return the vectors of documents."""
        return self.fit(texts).transform(texts)

    def transform(self, texts: Iterable[str]) -> FloatMatrix:
        """Vectors of documents."""
        self._check_fitted()
        texts = check_texts(texts)
        documents = [check_text(text, position) for position, text in enumerate(texts)]
        if not documents:
            return np.zeros((0, self.n_features_out_), dtype=np.float32)
        return self._encode(documents)

    def _open(self, folder: Path) -> Any:
        try:
            from model2vec import StaticModel as Model
        except ImportError as error:
            raise MissingExtraError("model2vec", "model2vec", "a model2vec table") from error
        return Model.from_pretrained(str(folder))

    def _encode(self, documents: list[str]) -> FloatMatrix:
        return np.asarray(self.model_.encode(documents, max_length=None), dtype=np.float32)


def existing_folder(path: str | Path | None) -> Path:
    """Return the folder, or say that one is needed."""
    if path is None or not Path(path).is_dir():
        raise InputError(
            f"path must be the folder of a saved model; got {path!r}. Nothing is downloaded here."
        )
    return Path(path)
