"""Latent semantic analysis: tf-idf and a truncated singular value decomposition."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.baselines.tfidf import TfIdf
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix


@dataclass(eq=False, repr=False)
class TfIdfSvd(TfIdf):
    r"""Tf-idf vectors on their leading right singular vectors: :math:`x_d = V_r^T \, y_d`.

    Parameters
    ----------
    n_components : int, default=200
        r; fewer when there are not that many documents or words.
    sublinear : bool, default=True

    Other parameters are those of :class:`~psif.baselines.base.WordMethod`.

    References
    ----------
    .. [1] Deerwester, Dumais, Furnas, Landauer, Harshman (1990), "Indexing by latent semantic
       analysis".
    """

    sublinear: bool = True
    n_components: int = 200

    def _learn_words(self, docs: FlatDocs, y: object) -> None:
        from sklearn.decomposition import TruncatedSVD

        super()._learn_words(docs, y)
        rows = super()._embed(docs)
        rank = min(self.n_components, *rows.shape)
        svd = TruncatedSVD(rank, random_state=self._seed()).fit(rows)
        self.components_: FloatMatrix = svd.components_.astype(np.float32)
        self.n_features_out_ = rank

    def _embed(self, docs: FlatDocs) -> FloatMatrix:
        result: FloatMatrix = super()._embed(docs) @ self.components_.T
        return result
