"""How a folder says that it is a classifier; looking costs no import of scikit-learn."""

from __future__ import annotations

from pathlib import Path

from psif.errors import FormatError
from psif.model.folder import read_json

FORMAT = "psif-classifier"
CONFIG = "config.json"


def is_classifier(folder: str | Path) -> bool:
    """Whether a folder says that it is a classifier; it may still be damaged."""
    try:
        return bool(read_json(Path(folder) / CONFIG).get("format") == FORMAT)
    except (OSError, FormatError):
        return False
