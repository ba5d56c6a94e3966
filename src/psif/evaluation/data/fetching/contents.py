"""What a set should hold: rows of each split, and a checksum of what the tasks read of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

# What tasks read; numbers of rows and the like may differ between copies.
_FIELDS = ("text", "text_a", "text_b", "label", "labels", "score")


def content_sha256(rows: Iterable[dict[str, Any]]) -> str:
    """Checksum of the texts, labels and scores of rows, in order."""
    digest = hashlib.sha256()
    for row in rows:
        known = {name: row[name] for name in _FIELDS if name in row}
        digest.update(json.dumps(known, sort_keys=True, ensure_ascii=True).encode("ascii"))
        digest.update(b"\n")
    return digest.hexdigest()


@cache
def expected_contents() -> dict[str, dict[str, Any]]:
    """``rows`` and ``sha256`` by file, such as ``sick/train``, of the copies we scored."""
    text = (resources.files("psif.evaluation.data.fetching") / "contents.json").read_text("utf-8")
    contents: dict[str, dict[str, Any]] = json.loads(text)
    return contents
