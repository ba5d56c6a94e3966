"""WordLlama, with the table that its package holds."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from benchmarks.peers.base import Peer, installed_folder
from psif.types import FloatMatrix


def package_folder() -> Path:
    """Return where the package keeps its table and its tokenizer."""
    return installed_folder("wordllama")


class WordLlama(Peer):
    """``WordLlama.load().embed``, 256 numbers."""

    name = "wordllama"
    title = "WordLlama"
    packages: ClassVar[tuple[str, ...]] = ("wordllama",)
    modules: ClassVar[tuple[str, ...]] = ("wordllama:WordLlama",)
    learns = False

    def fit(self, texts: Sequence[str]) -> None:
        """Open the table of the package."""
        self._open(package_folder())

    def _open(self, folder: Path) -> None:
        from wordllama import WordLlama as Model

        logging.getLogger().setLevel(logging.WARNING)  # the package asks for more on import
        # Its loader looks beside itself and in this "cache"; both are in the package.
        self._model = Model.load(cache_dir=folder, disable_download=True)

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Means of token vectors."""
        return np.asarray(self._model.embed(list(texts)), dtype=np.float32)

    def save(self, folder: Path) -> None:
        """Copy the files of the package."""
        for part in ("weights", "tokenizers"):
            wanted = shutil.ignore_patterns("*.py", "__pycache__")
            shutil.copytree(
                package_folder() / part, folder / part, dirs_exist_ok=True, ignore=wanted
            )

    def load(self, folder: Path) -> None:
        """Open the table."""
        self._open(folder)
