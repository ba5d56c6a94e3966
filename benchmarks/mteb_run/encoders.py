"""The models to compare, each an encoder of MTEB for a corpus."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.mteb_run.tasks import Job
from psif.types import FloatMatrix

# Texts of the tasks that a transformer embeds in minutes.
_SHORT = ("STS", "twitter_sentiment", "sst2", "20news subjects")


def makers(job: Job, folder: Path) -> dict[str, Callable[[], Any]]:
    """Return the models of a task by name; a model is made when it is called."""
    of_kind = {
        "STS": ("similarity",),
        "Classification": ("classification",),
        "Clustering": ("retrieval", "compact"),
    }
    found: dict[str, Callable[[], Any]] = {
        "psif english": lambda: _psif("english"),
        "psif default": partial(_fitted, job, {}),
    }
    for preset in of_kind[job.kind]:
        if preset == "similarity":
            for table in ("glove-6b-100d", "minilm-words-300d"):
                if (_vectors() / table).exists():
                    options = {"preset": preset, "vectors": str(_vectors() / table)}
                    found[f"psif {preset}, {table}"] = partial(_fitted, job, options)
        else:
            found[f"psif {preset}"] = partial(_fitted, job, {"preset": preset})
    found["model2vec"] = lambda: _model2vec(folder)
    if job.kind in _SHORT or job.name in _SHORT:
        found["MiniLM"] = _minilm
    return found


def _vectors() -> Path:
    return Path(os.environ.get("PSIF_VECTORS", "."))


def _psif(model: Any) -> Any:
    from psif.integrations.mteb import PsifEncoder

    return PsifEncoder(model)


def _fitted(job: Job, options: dict[str, Any]) -> Any:
    from psif import Embedder

    options = dict(options)
    preset = options.pop("preset", None)
    settings = {"random_state": 0, **options}
    model = Embedder.from_preset(preset, **settings) if preset else Embedder(**settings)
    return _psif(model.fit(job.corpus))


def _model2vec(folder: Path) -> Any:
    from model2vec import StaticModel

    from benchmarks.peers.model2vec import distil_table

    if not (folder / "model2vec").exists():
        distil_table(folder / "model2vec")
    table = StaticModel.from_pretrained(str(folder / "model2vec"))
    return _function("local/model2vec", lambda texts: table.encode(texts, max_length=None))


def _minilm() -> Any:
    from sentence_transformers import SentenceTransformer

    from benchmarks.peers.minilm import model_folder

    model = SentenceTransformer(str(model_folder()), device="cpu")
    return _function("local/minilm", lambda texts: model.encode(texts, batch_size=64))


def _function(name: str, embed: Callable[[list[str]], Any]) -> Any:
    from mteb.models import ModelMeta
    from mteb.models.abs_encoder import AbsEncoder
    from mteb.models.model_meta import ScoringFunction

    class Encoder(AbsEncoder):  # type: ignore[misc]
        mteb_model_meta = ModelMeta.create_empty(
            {"name": name, "similarity_fn_name": ScoringFunction.COSINE}
        )

        def encode(self, inputs: Any, **options: Any) -> FloatMatrix:
            """Embed each distinct text once."""
            texts = [text for batch in inputs for text in batch["text"]]
            distinct = sorted(set(texts))
            rows = np.asarray(embed(distinct), dtype=np.float32)
            places = {text: i for i, text in enumerate(distinct)}
            return rows[[places[text] for text in texts]]

    return Encoder()
