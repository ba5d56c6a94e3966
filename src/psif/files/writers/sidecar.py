"""Where the ids of a format without room for them are kept."""

from __future__ import annotations

from pathlib import Path


def sidecar_path(out: str | Path) -> Path:
    """``vectors.npy`` has its ids in ``vectors.npy.ids.jsonl``."""
    return Path(f"{out}.ids.jsonl")
