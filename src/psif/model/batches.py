"""Add vectors to a batch of documents, for data engines such as Arrow, pandas or Ray."""

from __future__ import annotations

import warnings
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from psif.errors import InputError, PsifWarning
from psif.model.embedder import Embedder
from psif.types import FloatMatrix

_LOADING = Lock()


def embed_batch(
    batch: Any,
    model: Embedder | str | Path,
    *,
    text_column: str = "text",
    vector_column: str = "vector",
) -> Any:
    """Add a column of document vectors to a batch; the batch keeps its type.

    Parameters
    ----------
    batch : pyarrow Table or RecordBatch, pandas DataFrame, or mapping of columns
    model : PSIF or Embedder, or path of a saved one
        A path is loaded once per process and memory-mapped, so that the processes of one machine
        share it. Give a path that every worker can read.
    text_column, vector_column : str
        The column of the texts, and the column for the vectors. A missing text counts as empty.

    Returns
    -------
    batch
        A new batch with one more column: a fixed-size list of float32 in Arrow, one array per row
        in pandas, a matrix in a mapping.
    """
    fitted = model if isinstance(model, Embedder) else shared_model(model)
    names = list(batch.column_names if hasattr(batch, "column_names") else batch.keys())
    if text_column not in names:
        raise InputError(
            f"the batch has no column {text_column!r}; its columns are "
            f"{', '.join(map(str, names)) or 'none'}. Name it with text_column."
        )
    if hasattr(batch, "column_names"):
        return _add_to_arrow(batch, fitted, text_column, vector_column)
    values = batch[text_column]
    texts = [value if isinstance(value, str) else _text(value) for value in values]
    vectors = embed_texts(fitted, texts)
    if hasattr(batch, "assign"):
        return batch.assign(**{vector_column: list(vectors)})
    return {**batch, vector_column: vectors}


def embed_texts(model: Embedder, texts: list[str]) -> FloatMatrix:
    """Vectors without a warning about each empty document: a batch is one of many."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PsifWarning)
        return model.average(model.word_ids(texts))


def shared_model(path: str | Path) -> Embedder:
    """Return a saved model, loaded once per process and again when its files change."""
    folder = Path(path).absolute()
    config = folder / "config.json"
    stamp = config.stat().st_mtime_ns if config.exists() else 0
    with _LOADING:
        return _load(str(folder), stamp)


@lru_cache(maxsize=2)
def _load(folder: str, stamp: int) -> Embedder:
    model = Embedder.load(folder, mapped=True)
    # The engine spreads batches over processes. What is made on first use is made here, once.
    model.n_jobs = 1
    embed_texts(model, ["once"])
    return model


def _add_to_arrow(batch: Any, model: Embedder, text_column: str, vector_column: str) -> Any:
    import pyarrow as pa

    texts = [text or "" for text in batch.column(text_column).to_pylist()]
    vectors = embed_texts(model, texts)
    flat = pa.array(np.ascontiguousarray(vectors).reshape(-1), type=pa.float32())
    column = pa.FixedSizeListArray.from_arrays(flat, max(1, vectors.shape[1]))
    return batch.append_column(vector_column, column)


def _text(value: Any) -> str:
    """Return "" for a missing value of pandas or NumPy; refuse anything else."""
    if value is None or type(value).__name__ == "NAType" or value != value:
        return ""
    raise InputError(f"expected texts, found {type(value).__name__} {value!r}.")
