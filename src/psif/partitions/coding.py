"""Sparse coding of word vectors over given atoms."""

from __future__ import annotations

import numpy as np

from psif.runtime.threads import Workers, ranges
from psif.types import FloatMatrix

WORDS_PER_PIECE = 1024


def sparse_codes(
    vectors: FloatMatrix, atoms: FloatMatrix, n_active: int, *, workers: Workers
) -> FloatMatrix:
    r"""Write each vector as a sum of at most ``n_active`` atoms, by batch OMP.

    .. math:: v_w \approx \sum_j \alpha_{w,j} A_j, \qquad \|\alpha_w\|_0 \le k

    Parameters
    ----------
    vectors : ndarray of shape (n_words, dim)
    atoms : ndarray of shape (n_topics, dim), rows of unit norm
    n_active : int
        k, nonzero coefficients per word.
    workers : Workers

    Returns
    -------
    codes : ndarray of shape (n_words, n_topics)
    """
    from psif.compiled.omp import code_rows, coding_room, minus_gram

    codes = np.zeros((len(vectors), len(atoms)), dtype=np.float32)
    gram = minus_gram(atoms)

    def work(start: int, stop: int) -> None:
        correlations = vectors[start:stop] @ atoms.T
        code_rows(gram, correlations, codes[start:stop], *coding_room(len(atoms), n_active))

    workers.map(work, ranges(len(vectors), WORDS_PER_PIECE))
    return codes
