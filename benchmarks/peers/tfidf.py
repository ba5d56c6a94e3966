"""scikit-learn's tf-idf."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from benchmarks.peers.base import Peer


class Tfidf(Peer):
    """``TfidfVectorizer(sublinear_tf=True)``."""

    name = "tfidf"
    title = "TF-IDF (scikit-learn)"
    packages: ClassVar[tuple[str, ...]] = ("scikit-learn",)
    modules: ClassVar[tuple[str, ...]] = ("sklearn.feature_extraction.text:TfidfVectorizer",)

    def build(self) -> Any:
        """Return the vectoriser, not fitted."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        return TfidfVectorizer(sublinear_tf=True)

    def fit(self, texts: Sequence[str]) -> None:
        """Learn the vocabulary and document frequencies."""
        self._model = self.build().fit(texts)

    def embed(self, texts: Sequence[str]) -> Any:
        """Return a CSR matrix, or an array of components."""
        return self._model.transform(texts)

    def save(self, folder: Path) -> None:
        """Write it with joblib, as scikit-learn's guide says."""
        import joblib

        folder.mkdir(parents=True, exist_ok=True)
        joblib.dump(self._model, folder / "model.joblib")

    def load(self, folder: Path) -> None:
        """Read it again: a file that this run wrote itself."""
        import joblib

        self._model = joblib.load(folder / "model.joblib")
