"""How topic codes enter the word-topic vectors."""

from __future__ import annotations

import numpy as np

from psif.errors import InputError
from psif.runtime.norms import unit_rows
from psif.types import FloatMatrix

SHAPES = ("signed", "nonnegative", "unit", "nonnegative-unit")


def shape_codes(codes: FloatMatrix, how: str) -> FloatMatrix:
    r"""Return the codes α as they are used to weight word vectors.

    Parameters
    ----------
    codes : ndarray of shape (n_words, n_topics)
    how : {"signed", "nonnegative", "unit", "nonnegative-unit"}
        - "signed": as they are (the paper);
        - "nonnegative": negative coefficients become zero; a word that has only negative ones
          keeps their absolute values, so that no word is lost;
        - "unit": :math:`\alpha_w / \|\alpha_w\|`, so that ⟨t_w, t_w⟩ = 1 and partitioning leaves
          the norm of a word vector alone;
        - "nonnegative-unit": both.
    """
    if how not in SHAPES:
        raise InputError(f"codes must be one of {', '.join(SHAPES)}; got {how!r}.")
    if "nonnegative" in how:
        positive = np.maximum(codes, 0)
        lost = ~positive.any(axis=1)
        positive[lost] = np.abs(codes[lost])
        codes = positive
    if "unit" in how:
        codes = unit_rows(codes)
    return np.ascontiguousarray(codes, dtype=np.float32)


def n_shared(share: float, n_topics: int) -> int:
    """Return the number of topics that all words share; a single topic is that already."""
    return int(share > 0 and n_topics > 1)


def add_shared_topic(codes: FloatMatrix, share: float) -> FloatMatrix:
    r"""Put a topic that all words have alike before the others.

    .. math:: \alpha'_w = (\sqrt s, \sqrt{1 - s}\, \alpha_w), \qquad
              \langle \alpha'_w, \alpha'_u \rangle = s + (1 - s) \langle \alpha_w, \alpha_u \rangle

    With s = 1 a document is its SIF average, with s = 0 its P-SIF vector: words of different
    topics stay comparable, words of one topic count for more.
    """
    shared = np.full((len(codes), 1), np.sqrt(share), dtype=np.float32)
    return np.hstack([shared, codes * np.float32(np.sqrt(1 - share))])
