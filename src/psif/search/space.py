r"""The dense part: a model's document vectors, made short enough to compare all of them.

A document is the model's vector at length 1, projected to at most 256 numbers and brought back to
length 1:

.. math:: z_d = \frac{P^T x_d}{\| P^T x_d \|}

P has the leading directions of the documents that the index was built from. Averaging, projection
and length are linear but for one factor per document, so a score still splits exactly over topics
and word pairs (:mod:`psif.search.dense_split`).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from psif.documents.projection import (
    fold_words,
    leading_directions,
    sample_documents,
    with_random_rest,
)
from psif.errors import PsifWarning
from psif.model.embedder import Embedder
from psif.runtime.blas import single_threaded_blas, tall_product
from psif.runtime.norms import unit_rows
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix

N_DIMS = 256
# Documents that directions are learned from.
_SAMPLE = 4_096
# Documents embedded at a time, for models whose vectors are long.
_BLOCK_NUMBERS = 1 << 24


@dataclass(frozen=True)
class Space:
    """A model and the directions that its vectors are projected to.

    Attributes
    ----------
    model : Embedder
    directions : ndarray of shape (``model.n_features_out_``, n_dims) or None
        P; None where the model's vectors are short enough.
    table : ndarray of shape (n_words, n_dims) or None
        A row per word such that projected documents are weighted averages of rows; None for
        models whose vectors are not such averages (those with columns of single words).
    """

    model: Embedder
    directions: FloatMatrix | None
    table: FloatMatrix | None

    @classmethod
    def learn(cls, model: Embedder, docs: FlatDocs, n_dims: int = N_DIMS) -> Space:
        """Find the directions of documents, given as sorted word ids of the model."""
        directions = None
        if model.n_features_out_ > n_dims:
            chosen = np.flatnonzero(docs.lengths > 0)
            sample = sample_documents(docs, chosen, _SAMPLE, random_state=0)
            if len(sample):
                directions = _directions(unit_rows(model.average(sample)), n_dims)
        return cls(model, directions, _fold(model, directions))

    @property
    def n_dims(self) -> int:
        """Numbers per document."""
        if self.directions is not None:
            return int(self.directions.shape[1])
        return self.model.n_features_out_

    def embed(self, docs: FlatDocs) -> FloatMatrix:
        """Vectors of length 1 of documents, given as sorted word ids; zero without a known word."""
        if self.table is not None:
            words = self.model.words_
            return unit_rows(words.average_table(docs, self.table, n_jobs=self.model.n_jobs))
        out = np.zeros((len(docs), self.n_dims), dtype=np.float32)
        size = max(1, _BLOCK_NUMBERS // self.model.n_features_out_)
        for start in range(0, len(docs), size):
            part = docs.part(start, min(start + size, len(docs)))
            out[start : start + size] = self._project(self.average(part))
        return out

    def average(self, docs: FlatDocs) -> FloatMatrix:
        """Return the model's own vectors; documents without a known word are no surprise here."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PsifWarning)
            return self.model.average(docs)

    def _project(self, vectors: FloatMatrix) -> FloatMatrix:
        unit = unit_rows(vectors)
        if self.directions is None:
            return unit
        with single_threaded_blas():
            return unit_rows(tall_product(unit, self.directions, n_jobs=self.model.n_jobs))


def _directions(vectors: FloatMatrix, n_dims: int) -> FloatMatrix:
    """Leading directions; what few documents do not span is filled up at random."""
    n_leading = min(n_dims, len(vectors))
    with single_threaded_blas():
        leading, _ = leading_directions(vectors, n_leading, random_state=0)
    return np.ascontiguousarray(with_random_rest(leading, n_dims, random_state=0))


def _fold(model: Embedder, directions: FloatMatrix | None) -> FloatMatrix | None:
    if model.word_columns_ is not None:
        return None
    if model.table_ is not None:
        return model.table_ if directions is None else model.table_ @ directions
    if directions is None:
        return None
    return fold_words(model.words_, model.components_, directions)
