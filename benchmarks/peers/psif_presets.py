"""P-SIF itself, as a user calls it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from benchmarks.peers.base import SEED, Peer
from psif.model.presets import preset
from psif.model.settings import Settings


class Psif(Peer):
    """All defaults."""

    name = "psif"
    title = "P-SIF, defaults"
    packages: ClassVar[tuple[str, ...]] = ("psif",)
    modules: ClassVar[tuple[str, ...]] = ("psif:PSIF",)
    preset: ClassVar[str | None] = None

    def fit(self, texts: Sequence[str]) -> None:
        """Learn words, topics and weights."""
        from psif import PSIF

        settings = {"random_state": SEED, **self.settings()}
        name = self.preset
        self._model = PSIF(**settings) if name is None else PSIF.from_preset(name, **settings)
        self._model.fit(texts)

    def settings(self) -> dict[str, Any]:
        """Return what is not the preset's."""
        return {}

    @classmethod
    def all_settings(cls) -> dict[str, Any]:
        """Defaults and preset: new ones do not meet old measurements."""
        chosen = {} if cls.preset is None else preset(cls.preset)
        return {**Settings().settings, **chosen}

    def embed(self, texts: Sequence[str]) -> Any:
        """Vectors of documents."""
        return self._model.transform(texts)

    def save(self, folder: Path) -> None:
        """Write the model's folder."""
        self._model.save(folder)

    def load(self, folder: Path) -> None:
        """Read the model's folder."""
        from psif import PSIF

        self._model = PSIF.load(folder)


class PsifClassification(Psif):
    """The preset for documents and linear classifiers."""

    name = "psif-classification"
    title = "P-SIF, preset classification"
    preset = "classification"


class PsifCompact(Psif):
    """The preset for an index."""

    name = "psif-compact"
    title = "P-SIF, preset compact"
    preset = "compact"


class PsifWords(Psif):
    """The preset for sentences, over word vectors made elsewhere."""

    name = "psif-words"
    title = "P-SIF, preset similarity, given word vectors"
    preset = "similarity"
    table = "minilm-words-300d"

    @classmethod
    def skip_reason(cls) -> str | None:
        """Without the table there is nothing to measure."""
        folder = os.environ.get("PSIF_VECTORS")
        if not folder or not (Path(folder) / cls.table).is_dir():
            return f"needs the word vectors {cls.table} in the folder that PSIF_VECTORS names"
        return None

    def settings(self) -> dict[str, Any]:
        """Return the table."""
        return {"vectors": Path(os.environ["PSIF_VECTORS"]) / self.table}
