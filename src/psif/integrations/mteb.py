"""MTEB: an encoder for its evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mteb.models import ModelMeta
from mteb.models.abs_encoder import AbsEncoder
from mteb.models.model_meta import ScoringFunction

from psif.integrations.models import opened, vectors
from psif.model.embedder import Embedder
from psif.types import FloatMatrix


class PsifEncoder(AbsEncoder):
    """``mteb.evaluate(PsifEncoder(model), tasks)``.

    Prompts are ignored. Results are kept by name and revision, so that models with different
    settings need different names, of the form "owner/model".

    Parameters
    ----------
    model : PSIF or path
        A fitted model, or the folder of one.
    name : str, default="psif/psif"
    """

    def __init__(self, model: Embedder | str | Path, *, name: str = "psif/psif") -> None:
        self.model = opened(model)
        self.mteb_model_meta = ModelMeta.create_empty(
            {
                "name": name,
                "revision": getattr(self.model, "checksum_", None) or "unsaved",
                "embed_dim": self.model.n_features_out_,
                "framework": ["NumPy"],
                "similarity_fn_name": ScoringFunction.COSINE,
                "use_instructions": False,
            }
        )

    def encode(self, inputs: Any, **options: Any) -> FloatMatrix:
        """Return one vector per text of the batches."""
        return vectors(self.model, [text for batch in inputs for text in batch["text"]])
