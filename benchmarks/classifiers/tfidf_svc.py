"""TF-IDF and a linear classifier: the baseline that a user would pick."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.classifiers.base import SEED, LabelPeer


class TfidfSvc(LabelPeer):
    """scikit-learn's ``TfidfVectorizer`` and ``LinearSVC`` or ``RidgeClassifier``.

    The tokens, losses, values of C and folds are those of psif.
    """

    title = "TF-IDF + LinearSVC"
    uses_unlabelled = True

    def fit(
        self, texts: Sequence[str], labels: Sequence[str], unlabelled: Sequence[str] = ()
    ) -> None:
        """Count words in all texts; choose loss and C on folds of those with labels."""
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import RidgeClassifier
        from sklearn.model_selection import GridSearchCV
        from sklearn.svm import LinearSVC

        from psif import Tokenizer
        from psif.classify.folds import folds_of_texts
        from psif.classify.rules import BY_ACCURACY

        cut = Tokenizer.of("unicode")
        self._vectorizer = TfidfVectorizer(
            sublinear_tf=True, tokenizer=cut, token_pattern=None, lowercase=False
        )
        self._vectorizer.fit([*texts, *unlabelled])
        vectors = self._vectorizer.transform(texts)
        truth = np.unique(np.asarray(labels), return_inverse=True)[1]
        folds = folds_of_texts(texts, truth, SEED)
        grids: list[tuple[Any, dict[str, Any]]] = [
            (LinearSVC(random_state=SEED), {"C": BY_ACCURACY.grid}),
            # C ∑ (y - f)² + ½ ‖w‖² is ridge regression with alpha = 1 / 2C.
            (
                RidgeClassifier(solver="sparse_cg"),
                {"alpha": [1 / (2 * value) for value in BY_ACCURACY.grid]},
            ),
        ]
        found = [
            GridSearchCV(kind, grid, cv=folds, n_jobs=self.threads).fit(vectors, labels)
            for kind, grid in grids
        ]
        self._model = max(found, key=lambda search: float(search.best_score_))

    def predict(self, texts: Sequence[str]) -> list[str]:
        """Labels of raw texts."""
        found: list[str] = self._model.predict(self._vectorizer.transform(texts)).tolist()
        return found

    def save(self, folder: Path) -> None:
        """Pickle, as scikit-learn's users do."""
        import pickle

        folder.mkdir(parents=True, exist_ok=True)
        best = self._model.best_estimator_
        with (folder / "model.pickle").open("wb") as file:
            pickle.dump((self._vectorizer.vocabulary_, self._vectorizer.idf_, best), file)
