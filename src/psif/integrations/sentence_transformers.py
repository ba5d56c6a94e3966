"""sentence-transformers: a module that makes the vectors of texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from sentence_transformers.base.modules import InputModule

from psif.integrations.models import opened, vectors
from psif.model.embedder import Embedder

_FOLDER = "psif"


class PsifModule(InputModule):
    """``SentenceTransformer(modules=[PsifModule(model)])``, for version 6 or newer.

    Prompts are ignored: they are written for models that read them, and their words would be
    words of every document. Nothing is trained. ``SentenceTransformer(folder,
    trust_remote_code=True)`` loads what ``save`` wrote; the flag allows the import of this class.

    Parameters
    ----------
    model : PSIF or path
        A fitted model, or the folder of one.
    """

    def __init__(self, model: Embedder | str | Path) -> None:
        super().__init__()
        self._psif = opened(model)

    def preprocess(self, inputs: Any, prompt: str | None = None, **options: Any) -> dict[str, Any]:
        """Return the vectors of texts: there is nothing left for the forward pass."""
        rows = np.ascontiguousarray(vectors(self._psif, inputs))
        return {"sentence_embedding": torch.from_numpy(rows)}

    def forward(self, features: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Return the features as they are."""
        return features

    def get_embedding_dimension(self) -> int:
        """Return the number of dimensions."""
        return self._psif.n_features_out_

    @property
    def max_seq_length(self) -> None:
        """None: texts are never cut."""
        return

    def save(self, output_path: str, *args: Any, **options: Any) -> None:
        """Write the model into a folder of its own beside the other files."""
        self._psif.save(Path(output_path) / _FOLDER)

    @classmethod
    def load(cls, model_name_or_path: str, subfolder: str = "", **options: Any) -> Self:
        """Read what :meth:`save` wrote."""
        known = ("token", "cache_folder", "revision", "local_files_only")
        place = Path(subfolder, _FOLDER).as_posix()
        chosen = {name: options[name] for name in known if name in options}
        return cls(cls.load_dir_path(model_name_or_path, subfolder=place, **chosen))
