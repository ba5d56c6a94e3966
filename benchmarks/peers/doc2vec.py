"""gensim's paragraph vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from benchmarks.peers.base import SEED, Peer
from psif.runtime.threads import resolve_jobs
from psif.text.tokenizer import Tokenizer
from psif.types import FloatMatrix

_DIM = 200


class Doc2Vec(Peer):
    """``Doc2Vec`` (distributed bag of words), ten epochs; vectors of documents are inferred."""

    name = "doc2vec"
    title = "Doc2Vec PV-DBOW (gensim)"
    packages: ClassVar[tuple[str, ...]] = ("gensim",)
    modules: ClassVar[tuple[str, ...]] = ("gensim.models:Doc2Vec",)
    fits_alone = False

    def fit(self, texts: Sequence[str]) -> None:
        """Train."""
        from gensim.models.doc2vec import Doc2Vec as Model
        from gensim.models.doc2vec import TaggedDocument

        self._cut = Tokenizer()
        tagged = [TaggedDocument(self._cut(text), [i]) for i, text in enumerate(texts)]
        # Vectors of the training documents are what gensim would keep; they are inferred here.
        self._model = Model(
            tagged, dm=0, vector_size=_DIM, min_count=5, epochs=10, negative=5,
            workers=resolve_jobs(None), seed=SEED,
        )  # fmt: skip

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Infer, document by document, as gensim does."""
        return np.stack([self._model.infer_vector(self._cut(text)) for text in texts])

    def save(self, folder: Path) -> None:
        """Write gensim's own file."""
        folder.mkdir(parents=True, exist_ok=True)
        self._model.save(str(folder / "model"))

    def load(self, folder: Path) -> None:
        """Read gensim's own file, which this run wrote itself."""
        from gensim.models.doc2vec import Doc2Vec as Model

        self._cut = Tokenizer()
        self._model = Model.load(str(folder / "model"))
