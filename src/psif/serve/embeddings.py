"""``POST /v1/embeddings``, as OpenAI's clients call it."""

from __future__ import annotations

import base64
import sys
from typing import Any

import numpy as np

from psif.runtime.norms import unit_rows
from psif.serve.failures import RequestError, invalid
from psif.serve.fields import choice_of, number_of
from psif.serve.limits import Limits
from psif.serve.served import Served
from psif.types import CountVector, FloatMatrix


def asked_dimensions(body: dict[str, Any], served: Served, n_texts: int, limits: Limits) -> int:
    """Return how many numbers per vector the request wants, if the model can give them."""
    asked = number_of(body, "dimensions", served.n_dims, 1, 1 << 20)
    assert asked is not None
    if asked != served.n_dims and not (served.shorter and asked < served.n_dims):
        can = f"up to {served.n_dims}" if served.shorter else f"{served.n_dims}"
        raise RequestError(
            400,
            f"dimensions is {asked}, but {served.name} gives {can} numbers per vector. Fit a "
            "compact model (psif fit --dims) for other sizes.",
            "dimensions_not_available",
            "dimensions",
        )
    if n_texts * asked > limits.numbers:
        raise RequestError(
            413,
            f"{n_texts:,} vectors of {asked:,} numbers are more than an answer may hold; send at "
            f"most {max(1, limits.numbers // asked):,} texts, or use a compact model.",
            "too_many_texts",
            "input",
        )
    return asked


def shortened(vectors: FloatMatrix, n_dims: int) -> FloatMatrix:
    """Keep the first numbers; what had unit length has it again."""
    if n_dims == vectors.shape[1]:
        return vectors
    shorter = np.ascontiguousarray(vectors[:, :n_dims])
    lengths = np.linalg.norm(vectors, axis=1)
    has_unit_length = np.allclose(lengths[lengths > 0], 1.0, atol=1e-3)
    return unit_rows(shorter) if has_unit_length else shorter


def encoding_of(body: dict[str, Any]) -> str:
    """Return how vectors are written."""
    encoding = choice_of(body, "encoding_format", ("float", "base64"))
    user = body.get("user")
    if user is not None and not isinstance(user, str):
        raise invalid("'user' must be a text.", "user")
    return encoding


def embedding_list(
    name: str, vectors: FloatMatrix, counts: CountVector, encoding: str
) -> dict[str, Any]:
    """Return the content of an answer."""
    n_words = int(counts.sum())
    rows = [_base64(row) for row in vectors] if encoding == "base64" else list(vectors)
    return {
        "object": "list",
        "data": [
            {"object": "embedding", "index": position, "embedding": row}
            for position, row in enumerate(rows)
        ],
        "model": name,
        "usage": {"prompt_tokens": n_words, "total_tokens": n_words},
    }


def _base64(row: np.ndarray) -> str:
    """Little-endian float32, whatever this machine has."""
    if sys.byteorder == "big":
        row = row.byteswap()
    return base64.b64encode(row.tobytes()).decode("ascii")
