"""psif itself, with its defaults."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.classifiers.base import SEED, LabelPeer


class PsifClassifier(LabelPeer):
    """``PSIFClassifier``: loss, C and pairs of words by five folds."""

    title = "PSIFClassifier"
    uses_unlabelled = True

    def fit(
        self, texts: Sequence[str], labels: Sequence[str], unlabelled: Sequence[str] = ()
    ) -> None:
        """Learn words and topics from all texts, classes from those with labels."""
        from psif import PSIFClassifier

        self.model = PSIFClassifier(random_state=SEED, n_jobs=self.threads)
        self.model.fit(texts, list(labels), unlabelled=unlabelled)

    def predict(self, texts: Sequence[str]) -> list[str]:
        """Labels of raw texts."""
        found: list[str] = self.model.predict(texts).tolist()
        return found

    def save(self, folder: Path) -> None:
        """Write word vectors as int8 and weights as float16."""
        self.model.save(folder, dtype="int8")

    def load(self, folder: Path) -> bool:
        """Read the rounded numbers."""
        from psif import PSIFClassifier

        self.model = PSIFClassifier.load(folder)
        self.model.n_jobs = self.threads
        return True
