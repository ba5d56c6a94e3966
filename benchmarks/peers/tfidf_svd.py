"""scikit-learn's latent semantic analysis."""

from __future__ import annotations

from typing import Any, ClassVar

from benchmarks.peers.base import SEED
from benchmarks.peers.tfidf import Tfidf


class TfidfSvd(Tfidf):
    """Tf-idf, then ``TruncatedSVD(200)``."""

    name = "tfidf-svd"
    title = "TF-IDF + TruncatedSVD (scikit-learn)"
    modules: ClassVar[tuple[str, ...]] = (*Tfidf.modules, "sklearn.decomposition:TruncatedSVD")

    def build(self) -> Any:
        """Return the pipeline, not fitted."""
        from sklearn.decomposition import TruncatedSVD
        from sklearn.pipeline import make_pipeline

        return make_pipeline(super().build(), TruncatedSVD(200, random_state=SEED))
