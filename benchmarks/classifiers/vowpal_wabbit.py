"""Vowpal Wabbit: hashed words, one against all, twenty passes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from benchmarks.classifiers.base import SEED, LabelPeer

_PASSES = 20


class VowpalWabbit(LabelPeer):
    """Words and bigrams with the logistic loss; documents in a new order in each pass."""

    title = "Vowpal Wabbit, 20 passes"
    packages: ClassVar[tuple[str, ...]] = ("vowpalwabbit",)

    def fit(
        self, texts: Sequence[str], labels: Sequence[str], unlabelled: Sequence[str] = ()
    ) -> None:
        """Learn online; it has no threads."""
        from vowpalwabbit import Workspace

        from psif import Tokenizer

        self._cut = Tokenizer.of("unicode")
        self._names = sorted(set(labels))
        numbers = {name: i + 1 for i, name in enumerate(self._names)}
        self._model: Any = Workspace(
            f"--oaa {len(self._names)} --loss_function logistic -b 22 --ngram 2 "
            f"--random_seed {SEED} --quiet"
        )
        lines = [self._line(text) for text in texts]
        rng = np.random.default_rng(SEED)
        for _ in range(_PASSES):
            for i in rng.permutation(len(lines)).tolist():
                self._model.learn(f"{numbers[labels[i]]} {lines[i]}")

    def predict(self, texts: Sequence[str]) -> list[str]:
        """Labels of raw texts."""
        return [self._names[int(self._model.predict(self._line(text))) - 1] for text in texts]

    def save(self, folder: Path) -> None:
        """Write the weights."""
        folder.mkdir(parents=True, exist_ok=True)
        self._model.save(str(folder / "model.vw"))

    def _line(self, text: str) -> str:
        return "| " + " ".join(self._cut(text)).replace(":", " ").replace("|", " ")
