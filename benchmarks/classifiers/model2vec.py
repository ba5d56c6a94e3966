"""model2vec's static vectors and a logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from benchmarks.classifiers.base import LabelPeer
from benchmarks.peers.model2vec import FOLDER


class Model2VecLogistic(LabelPeer):
    """``StaticModel.encode`` without its cut at 512 tokens; C by five folds.

    model2vec's own classifier trains a small network with torch on the same vectors; a logistic
    regression needs no torch and no early stopping on held-out documents.
    """

    title = "model2vec + logistic regression"
    packages: ClassVar[tuple[str, ...]] = ("model2vec", "wordllama")
    vectors_from = FOLDER

    def fit(
        self, texts: Sequence[str], labels: Sequence[str], unlabelled: Sequence[str] = ()
    ) -> None:
        """Encode, and choose C."""
        import warnings

        from model2vec import StaticModel
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import GridSearchCV

        self._table = StaticModel.from_pretrained(str(self.workspace / FOLDER))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._model = GridSearchCV(
                LogisticRegression(max_iter=300), {"C": [1, 4, 16, 64, 256]}, n_jobs=self.threads
            ).fit(self._encode(texts), list(labels))

    def predict(self, texts: Sequence[str]) -> list[str]:
        """Labels of raw texts."""
        found: list[str] = self._model.predict(self._encode(texts)).tolist()
        return found

    def save(self, folder: Path) -> None:
        """Write table and weights."""
        import pickle

        self._table.save_pretrained(str(folder))
        with (folder / "classifier.pickle").open("wb") as file:
            pickle.dump(self._model.best_estimator_, file)

    def _encode(self, texts: Sequence[str]) -> object:
        from sklearn.preprocessing import normalize

        return normalize(self._table.encode(list(texts), max_length=None))
