r"""A psif model in the format of model2vec, for its runtimes in other languages.

model2vec averages one row per word. A document of psif is such an average too, up to its length:

.. math:: x_d \propto \sum_w \mathrm{count}_w \, \lambda_w z_w

with the compact row :math:`z_w` of :func:`psif.documents.projection.fold_words`. Where a model has
nothing but this sum, cosines are the same. What a sum over words cannot do is listed by
:func:`losses`.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from psif.documents.projection import fold_words
from psif.errors import FormatError
from psif.integrations.fast_tokenizer import UNKNOWN, tokenizer_file
from psif.integrations.models import opened
from psif.model.embedder import Embedder
from psif.runtime.atomic import atomic_folder
from psif.types import FloatMatrix

# Numbers per word above which a model is not compact.
_MOST_DIMS = 2048
_N_SAMPLES, _N_WORDS = 500, 100
_NAME = "psif"
_CONFIG, _ARRAYS, _TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"


def write_model2vec(model: Embedder | str | Path, folder: str | Path) -> list[str]:
    """Write a compact model so that ``model2vec.StaticModel.from_pretrained(folder)`` loads it.

    Parameters
    ----------
    model : PSIF or path
        A fitted model, or the folder of one.
    folder : str or path
        A new folder, or one that this function wrote.

    Returns
    -------
    losses : list of str
        What the result does otherwise than the model; empty where cosines are the same.
    """
    from safetensors.numpy import save_file

    model, folder = opened(model), Path(folder)
    _check_replaceable(folder)
    words = model.vocabulary_.words[: model.vocabulary_.n_known]
    rows = word_rows(model)[: len(words)]
    table = np.vstack([np.zeros((1, rows.shape[1]), dtype=np.float32), rows])
    config = {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "tokenizer_name": _NAME,
        "normalize": bool(model.normalize),
        "hidden_dim": int(table.shape[1]),
        "seq_length": 1_000_000,
        # Documents are taken whole.
        "max_length": None,
        "embedding_dtype": "float32",
    }
    modules = [{"idx": 0, "name": "0", "path": ".", "type": _static("StaticEmbedding")}]
    if model.normalize:
        modules.append({"idx": 1, "name": "1", "path": "1_Normalize", "type": _static("Normalize")})
    tokenizer = tokenizer_file(model.tokenizer_, words)
    notes = losses(model)
    with atomic_folder(folder) as part:
        save_file({"embeddings": np.ascontiguousarray(table)}, part / _ARRAYS)
        for name, content in (
            (_TOKENIZER, tokenizer), (_CONFIG, config), ("modules.json", modules),
        ):  # fmt: skip
            text = json.dumps(
                content, ensure_ascii=False, indent=None if content is tokenizer else 1
            )
            (part / name).write_text(text, encoding="utf-8")
        (part / "README.md").write_text(_card(len(words), table.shape[1], notes), encoding="utf-8")
    return notes


def word_rows(model: Embedder) -> FloatMatrix:
    """Return the row of each word, times its weight.

    The columns of single words are scaled per document in psif. Here one number does for all: the
    median over documents of random words of the corpus.
    """
    table = model.table_
    if table is None:
        words = model.words_
        if model.word_columns_ is not None or words.n_features > _MOST_DIMS:
            raise FormatError(
                f"the model has {model.n_features_out_:,} numbers per document, too many for a row "
                "per word. Fit one with fewer: psif fit --dims 256, or n_dims=256."
            )
        identity = np.eye(words.n_features, dtype=np.float32)
        table = fold_words(words, model.components_, identity, n_jobs=model.n_jobs)
    rows: FloatMatrix = table * model.words_.weights[:, None]
    if model.word_columns_ is not None:
        first = model.word_columns_.first
        rows[:, first:] *= model.word_columns_.ratio * _typical_ratio(model, rows, first)
    return rows


def _typical_ratio(model: Embedder, rows: FloatMatrix, first: int) -> float:
    """Return the median of |topics| / |words| over documents of random words."""
    counts = model.vocabulary_.counts
    if not counts.any():
        return 1.0
    rng = np.random.default_rng(0)
    drawn = rng.choice(len(counts), (_N_SAMPLES, _N_WORDS), p=counts / counts.sum())
    sums = np.stack([rows[ids].sum(axis=0) for ids in drawn])
    topics = np.linalg.norm(sums[:, :first], axis=1)
    others = np.linalg.norm(sums[:, first:], axis=1)
    both = (topics > 0) & (others > 0)
    return float(np.median(topics[both] / others[both])) if both.any() else 1.0


def losses(model: Embedder) -> list[str]:
    """Say what a sum over words does otherwise than a model."""
    found = []
    if model.words_.counts == "log":
        found.append("a repeated word counts each time, not by the logarithm of its count")
    if model.word_columns_ is not None:
        found.append("the columns of single words have one scale, not one per document")
    if model.vocabulary_.n_buckets:
        found.append("words outside the vocabulary are skipped; they had random vectors")
    if model.tokenizer_.phrases:
        found.append("phrases are cut into their words")
    return found


def _static(name: str) -> str:
    return f"sentence_transformers.models.{name}"


def _check_replaceable(folder: Path) -> None:
    """Refuse a folder with anything in it that this module did not write."""
    if folder.exists() and not folder.is_dir():
        raise FormatError(f"{folder} is a file; give a folder.")
    if folder.is_dir() and any(folder.iterdir()) and not _is_ours(folder):
        raise FormatError(f"{folder} holds other files; give a new folder.")


def _is_ours(folder: Path) -> bool:
    try:
        config = json.loads((folder / _CONFIG).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and config.get("tokenizer_name") == _NAME


def _card(n_words: int, n_dims: int, notes: list[str]) -> str:
    differences = "\n".join(f"- {note}" for note in notes) or "- none: cosines are the same"
    return f"""---
library_name: model2vec
pipeline_tag: feature-extraction
tags: [model2vec, psif, sentence-similarity, static-embeddings]
---

# A psif model in the format of model2vec

{n_words:,} words with {n_dims} numbers each; {UNKNOWN} stands for all others and is skipped.

```python
from model2vec import StaticModel

vectors = StaticModel.from_pretrained("this folder").encode(["a document"])
```

Where its vectors differ from psif's:

{differences}

Topics, explanations and the vectors of words without weights stay in the psif model.
"""
