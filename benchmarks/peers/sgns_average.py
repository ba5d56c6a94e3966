"""The mean of gensim's skip-gram vectors, and the training that two peers share."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from benchmarks.peers.base import SEED, Peer
from psif.runtime.threads import resolve_jobs
from psif.text.tokenizer import Tokenizer
from psif.types import FloatMatrix

if TYPE_CHECKING:
    from psif.vectors.table import WordVectors

FOLDER = "gensim-sgns"
DIM = 200


def skip_gram(
    sentences: Sequence[list[str]], *, epochs: int, min_count: int = 20, subwords: bool = False
) -> Any:
    """Gensim's vectors with the paper's settings: 200 numbers, window 10, 10 negatives."""
    from gensim.models import FastText, Word2Vec

    kind = FastText if subwords else Word2Vec
    return kind(
        sentences, vector_size=DIM, window=10, negative=10, min_count=min_count, sample=1e-3,
        sg=1, epochs=epochs, workers=resolve_jobs(None), seed=SEED,
    ).wv  # fmt: skip


def train_shared(workspace: Path, texts: Sequence[str], epochs: int) -> dict[str, float]:
    """Train once for all that want these vectors, and keep how long it took."""
    from psif.vectors.table import WordVectors

    cut = Tokenizer()
    started = time.perf_counter()
    # The paper drops words below 20 occurrences; a small corpus would have none left.
    least = 20 if len(texts) > 5_000 else 5
    keyed = skip_gram([cut(text) for text in texts], epochs=epochs, min_count=least)
    seconds = time.perf_counter() - started
    WordVectors.from_object(keyed).save(workspace / FOLDER)
    facts = {"seconds": seconds, "words": len(keyed), "epochs": epochs}
    (workspace / f"{FOLDER}.json").write_text(json.dumps(facts), encoding="utf-8")
    return facts


class SharedSkipGram(Peer):
    """A peer over the shared vectors."""

    packages: ClassVar[tuple[str, ...]] = ("gensim",)
    modules: ClassVar[tuple[str, ...]] = ("gensim.models:Word2Vec",)
    vectors_from = FOLDER

    @property
    def earlier_seconds(self) -> float:
        """Seconds of the shared training."""
        facts = json.loads((self.workspace / f"{FOLDER}.json").read_text(encoding="utf-8"))
        return float(facts["seconds"])

    def shared_vectors(self) -> WordVectors:
        """Return the vectors of the shared training."""
        from psif.vectors.table import WordVectors

        return WordVectors.load(self.workspace / FOLDER)


class SgnsAverage(SharedSkipGram):
    """The mean of the vectors of a document's words."""

    name = "sgns-average"
    title = "mean of SGNS vectors (gensim)"

    def fit(self, texts: Sequence[str]) -> None:
        """Nothing is left to learn once the vectors are there."""
        self._vectors = self.shared_vectors()
        self._prepare()

    def _prepare(self) -> None:
        self._cut = Tokenizer()
        self._index = {word: i for i, word in enumerate(self._vectors.words)}

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Means of rows."""
        matrix = self._vectors.matrix
        out = np.zeros((len(texts), matrix.shape[1]), dtype=np.float32)
        for row, text in zip(out, texts, strict=True):
            ids = [self._index[word] for word in self._cut(text) if word in self._index]
            if ids:
                row[:] = matrix[ids].mean(axis=0)
        return out

    def save(self, folder: Path) -> None:
        """Write the vectors."""
        self._vectors.save(folder)

    def load(self, folder: Path) -> None:
        """Read the vectors."""
        from psif.vectors.table import WordVectors

        self._vectors = WordVectors.load(folder)
        self._prepare()
