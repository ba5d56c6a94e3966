"""NumPy reference implementation: the paper's algorithm line by line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from benchmarks.peers.base import SEED
from benchmarks.peers.sgns_average import SharedSkipGram
from psif.types import FloatMatrix

_TOPICS, _ACTIVE, _ITERATIONS, _A = 40, 20, 10, 1e-3
_WORD = re.compile(r"[^\W_]+")


class NumpyReference(SharedSkipGram):
    """Algorithm 1 over gensim's skip-gram vectors: K-SVD, word-topic vectors, a loop over words.

    Sparse codes are scikit-learn's orthogonal matching pursuit, the atom update is that of
    approximate K-SVD. Word vectors have unit norm, as in the authors' program.
    """

    name = "numpy-reference"
    title = "NumPy reference implementation, SGNS vectors (gensim)"
    packages: ClassVar[tuple[str, ...]] = ("gensim", "scikit-learn")

    def fit(self, texts: Sequence[str]) -> None:
        """Topics, weights, word-topic vectors and the common component."""
        vectors = self.shared_vectors()
        self._words = vectors.words
        matrix = vectors.matrix.astype(np.float64)
        matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
        codes = _ksvd(matrix, min(_TOPICS, len(matrix)))
        counts = Counter(word for text in texts for word in _WORD.findall(text.lower()))
        total = sum(counts.values())
        weights = np.array([_A / (_A + counts[word] / total) for word in self._words])
        self._prepare(matrix, codes, weights)
        self._component = np.zeros(self._table.shape[1])
        self._component = _first_singular_vector(self.embed(texts))

    def _prepare(self, matrix: np.ndarray, codes: np.ndarray, weights: np.ndarray) -> None:
        self._parts = matrix, codes, weights
        self._index = {word: i for i, word in enumerate(self._words)}
        table = np.einsum("wk,wd->wkd", codes, matrix, dtype=np.float32, casting="same_kind")
        self._table = table.reshape(len(matrix), -1)
        self._weights = weights

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Weighted means of word-topic vectors, the common component removed."""
        out = np.zeros((len(texts), self._table.shape[1]), dtype=np.float32)
        for row, text in zip(out, texts, strict=True):
            known = [w for w in _WORD.findall(text.lower()) if w in self._index]
            for word in known:
                i = self._index[word]
                row += self._weights[i] * self._table[i]
            row /= max(len(known), 1)
            row -= self._component * (self._component @ row)
        return out

    def save(self, folder: Path) -> None:
        """Write the arrays."""
        folder.mkdir(parents=True, exist_ok=True)
        matrix, codes, weights = self._parts
        np.savez(
            folder / "model.npz", matrix=matrix.astype(np.float32),
            codes=codes.astype(np.float32), weights=weights, component=self._component,
        )  # fmt: skip
        (folder / "words.txt").write_text("\n".join(self._words), encoding="utf-8")

    def load(self, folder: Path) -> None:
        """Read the arrays and make the table of word-topic vectors."""
        self._words = (folder / "words.txt").read_text(encoding="utf-8").split("\n")
        with np.load(folder / "model.npz") as kept:
            self._prepare(kept["matrix"], kept["codes"], kept["weights"])
            self._component = kept["component"]


def _ksvd(vectors: np.ndarray, n_topics: int) -> np.ndarray:
    """Sparse codes after alternating orthogonal matching pursuit with atom updates."""
    from sklearn.linear_model import orthogonal_mp_gram

    rng = np.random.default_rng(SEED)
    atoms = np.linalg.svd(vectors, full_matrices=False)[2][:n_topics]
    if len(atoms) < n_topics:
        atoms = np.vstack([atoms, rng.standard_normal((n_topics - len(atoms), vectors.shape[1]))])
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    active = min(_ACTIVE, n_topics)
    for _ in range(_ITERATIONS):
        codes = orthogonal_mp_gram(atoms @ atoms.T, atoms @ vectors.T, n_nonzero_coefs=active).T
        for j in range(n_topics):
            users = codes[:, j] != 0
            if not users.any():
                continue
            codes_of_users = codes[users]
            codes_of_users[:, j] = 0
            error = vectors[users] - codes_of_users @ atoms
            fresh = error.T @ codes[users, j]
            atoms[j] = fresh / np.linalg.norm(fresh)
            codes[users, j] = error @ atoms[j]
    gram, correlations = atoms @ atoms.T, atoms @ vectors.T
    found: np.ndarray = orthogonal_mp_gram(gram, correlations, n_nonzero_coefs=active).T
    return found


def _first_singular_vector(documents: FloatMatrix) -> np.ndarray:
    from sklearn.decomposition import TruncatedSVD

    found: np.ndarray = TruncatedSVD(1, random_state=SEED).fit(documents).components_[0]
    return found
