"""fastText, which is no longer maintained; the wheels are those of ``fasttext-wheel``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from benchmarks.classifiers.base import SEED, LabelPeer

_OPTIONS: dict[str, Any] = {"epoch": 25, "lr": 0.5, "dim": 100, "minCount": 1, "verbose": 0}
_HELD = 5


class FastText(LabelPeer):
    """Words or words and bigrams, the better on a fifth of the training documents."""

    title = "fastText, 25 epochs"
    packages: ClassVar[tuple[str, ...]] = ("fasttext-wheel",)

    def fit(
        self, texts: Sequence[str], labels: Sequence[str], unlabelled: Sequence[str] = ()
    ) -> None:
        """Train three times: with words, with bigrams, and the better one on all documents."""
        from psif import Tokenizer

        self._cut = Tokenizer.of("unicode")
        self._names = sorted(set(labels))
        numbers = {name: i for i, name in enumerate(self._names)}
        # fastText learns in the order of the file, and files are often sorted by class.
        order = np.random.default_rng(SEED).permutation(len(texts)).tolist()
        texts, labels = [texts[i] for i in order], [labels[i] for i in order]
        lines = [
            f"__label__{numbers[label]} {self._line(text)}"
            for text, label in zip(texts, labels, strict=True)
        ]
        learn = [line for i, line in enumerate(lines) if i % _HELD]
        held = [i for i in range(len(lines)) if i % _HELD == 0]
        scores = []
        for n_words in (1, 2):
            self._model = self._train(learn, n_words)
            found = self.predict([texts[i] for i in held])
            scores.append(sum(a == labels[i] for a, i in zip(found, held, strict=True)))
        self._model = self._train(lines, 1 + scores.index(max(scores)))

    def predict(self, texts: Sequence[str]) -> list[str]:
        """Labels of raw texts."""
        # The wheel's predict() breaks with NumPy 2; the function below it does not.
        lines = [f"{self._line(text)}\n" for text in texts]
        found = [self._model.f.predict(line, 1, 0.0, "strict") for line in lines]
        return [
            self._names[int(row[0][1].removeprefix("__label__"))] if row else self._names[0]
            for row in found
        ]

    def save(self, folder: Path) -> None:
        """Write the model, not quantised."""
        folder.mkdir(parents=True, exist_ok=True)
        self._model.save_model(str(folder / "model.bin"))

    def _line(self, text: str) -> str:
        return " ".join(self._cut(text))

    def _train(self, lines: Sequence[str], n_words: int) -> Any:
        import fasttext

        path = self.workspace / "fasttext.txt"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="replace")
        return fasttext.train_supervised(
            str(path), wordNgrams=n_words, thread=self.threads, seed=SEED, **_OPTIONS
        )
