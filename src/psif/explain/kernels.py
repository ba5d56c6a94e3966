r"""The paper's document kernels K1 to K4 ("Kernels meet Embeddings").

A document has one row per word: word vectors v of shape (n, dim) and, if topics are used, topic
vectors t (the codes α) of shape (n, n_topics). For documents A and B of n and m words:

.. math::

    K^1 &= \tfrac{1}{nm} \sum_{i,j} \langle v_i, v_j \rangle &\text{(average)} \\
    K^2 &= \tfrac{1}{nm} \sum_{i,j} \langle v_i, v_j \rangle + \langle t_i, t_j \rangle
        &\text{(topical word embeddings)} \\
    K^3 &= \tfrac{1}{nm} \sum_{i,j} \langle v_i, v_j \rangle \, \langle t_i, t_j \rangle
        &\text{(P-SIF)} \\
    K^4 &= \tfrac{1}{n} \sum_i \max_j \langle v_i, v_j \rangle
        &\text{(relaxed word mover, A matched to B)}

The first three are inner products of document embeddings and are computed in time linear in n + m.
For SIF weights, multiply the rows of v by a / (a + p(w)) first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from psif.errors import InputError

# K4 computes this many rows of the word-by-word matrix at a time.
_WORDS_A_PIECE = 1024


def average(vectors_a: ArrayLike, vectors_b: ArrayLike) -> float:
    """K1: inner product of the mean word vectors."""
    a, b = _document(vectors_a, "vectors_a"), _document(vectors_b, "vectors_b")
    _same_width(a, b, "word vectors")
    return float(a.mean(axis=0) @ b.mean(axis=0))


def topical(
    vectors_a: ArrayLike, topics_a: ArrayLike, vectors_b: ArrayLike, topics_b: ArrayLike
) -> float:
    """K2: inner product of the means of v ⊕ t (topical word embeddings)."""
    a, t_a = _with_topics(vectors_a, topics_a, "a")
    b, t_b = _with_topics(vectors_b, topics_b, "b")
    _same_width(a, b, "word vectors")
    _same_width(t_a, t_b, "topic vectors")
    return float(a.mean(axis=0) @ b.mean(axis=0) + t_a.mean(axis=0) @ t_b.mean(axis=0))


def partition(
    vectors_a: ArrayLike, topics_a: ArrayLike, vectors_b: ArrayLike, topics_b: ArrayLike
) -> float:
    """K3: inner product of the means of t ⊗ v (P-SIF before weights and removal)."""
    a, t_a = _with_topics(vectors_a, topics_a, "a")
    b, t_b = _with_topics(vectors_b, topics_b, "b")
    _same_width(a, b, "word vectors")
    _same_width(t_a, t_b, "topic vectors")
    # ⟨Tᵀ V / n, Tᵀ V / m⟩, the Frobenius inner product of two K x d matrices.
    return float(np.sum((t_a.T @ a) * (t_b.T @ b)) / (len(a) * len(b)))


def relaxed_word_mover(vectors_a: ArrayLike, vectors_b: ArrayLike) -> float:
    """K4: each word of A is matched to its most similar word of B. Not symmetric."""
    a, b = _document(vectors_a, "vectors_a"), _document(vectors_b, "vectors_b")
    _same_width(a, b, "word vectors")
    pieces = range(0, len(a), _WORDS_A_PIECE)
    return float(sum((a[i : i + _WORDS_A_PIECE] @ b.T).max(axis=1).sum() for i in pieces) / len(a))


def _document(rows: ArrayLike, name: str) -> np.ndarray:
    array = np.asarray(rows, dtype=np.float64)
    if array.ndim != 2 or not array.size:
        raise InputError(
            f"{name} must have one row per word and at least one word; got shape {array.shape}."
        )
    return array


def _with_topics(vectors: ArrayLike, topics: ArrayLike, side: str) -> tuple[np.ndarray, np.ndarray]:
    v, t = _document(vectors, f"vectors_{side}"), _document(topics, f"topics_{side}")
    if len(v) != len(t):
        raise InputError(
            f"document {side} has {len(v)} word vectors but {len(t)} topic vectors; "
            "each word needs one of each."
        )
    return v, t


def _same_width(a: np.ndarray, b: np.ndarray, what: str) -> None:
    if a.shape[1] != b.shape[1]:
        raise InputError(
            f"the {what} of the two documents have {a.shape[1]} and {b.shape[1]} dimensions; "
            "they must come from the same table."
        )
