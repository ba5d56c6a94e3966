r"""A table of words in one small file: bytes instead of floats, and the topics of each word.

A row is stored as :math:`v_w \approx c_w \, q_w` with whole numbers :math:`q_w \in [-127, 127]^d`
and one scale :math:`c_w`. The topic codes of a word are kept where they are largest. The format
is safetensors: nothing in the file is run, and nothing in it is bound to a language.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from psif.errors import FormatError
from psif.runtime.atomic import atomic_path
from psif.types import CountVector, FloatMatrix, FloatVector

FORMAT = "psif-table"
VERSION = 1
# Topics that are kept of each word.
_TOPICS_A_WORD = 4
_LARGEST = 127
# Types and numbers of dimensions.
_ARRAYS = {
    "rows": ("int8", 2), "scales": ("float32", 1), "words": ("uint8", 1), "counts": ("uint32", 1),
    "topics": ("uint8", 2), "codes": ("uint8", 2), "atoms": ("float32", 2),
    "topic_words": ("int32", 2), "topic_scores": ("float32", 2), "topic_means": ("float32", 1),
}  # fmt: skip
_NUMBERS = ("scales", "atoms", "topic_scores", "topic_means")


@dataclass(frozen=True)
class PackedTable:
    """Words, vectors, counts and topics.

    Attributes
    ----------
    words : list of str
    vectors : ndarray of shape (n_words, dim)
    counts : ndarray of int64
        How often each word occurs in a large text of the language.
    codes : ndarray of shape (n_words, n_topics)
    atoms : ndarray of shape (n_topics, dim)
    topic_words : ndarray of shape (n_topics, n_names)
        Characteristic words of each topic, as rows of the table; -1 after the last.
    topic_scores : ndarray of shape (n_topics, n_names)
    topic_means : ndarray of shape (n_topics,)
        Share of each topic in a text of the language.
    facts : dict
        What made it, as JSON: teacher, corpus, licences, settings.
    """

    words: list[str]
    vectors: FloatMatrix
    counts: CountVector
    codes: FloatMatrix
    atoms: FloatMatrix
    topic_words: NDArray[np.int32]
    topic_scores: FloatMatrix
    topic_means: FloatVector
    facts: dict[str, Any] = field(default_factory=dict)


def write_packed(path: str | Path, table: PackedTable) -> str:
    """Write a table and return the SHA-256 of the file, the same for the same table."""
    from safetensors.numpy import save

    scales = np.abs(table.vectors).max(axis=1) / _LARGEST
    safe = np.where(scales > 0, scales, 1).astype(np.float32)
    order = np.argsort(-table.codes, axis=1, kind="stable")[:, :_TOPICS_A_WORD]
    kept = np.take_along_axis(table.codes, order, axis=1)
    arrays = {
        "rows": np.rint(table.vectors / safe[:, None]).astype(np.int8),
        "scales": scales.astype(np.float32),
        "words": np.frombuffer("\n".join(table.words).encode(), dtype=np.uint8),
        "counts": np.minimum(table.counts, 2**32 - 1).astype(np.uint32),
        "topics": order.astype(np.uint8),
        "codes": np.rint(np.clip(kept, 0, 1) * 255).astype(np.uint8),
        "atoms": table.atoms.astype(np.float32),
        "topic_words": table.topic_words.astype(np.int32),
        "topic_scores": table.topic_scores.astype(np.float32),
        "topic_means": table.topic_means.astype(np.float32),
    }
    # One entry: the package writes several in any order.
    head = json.dumps({"format": FORMAT, "version": VERSION, "facts": table.facts})
    data = save(
        {name: np.ascontiguousarray(a) for name, a in arrays.items()}, metadata={"psif": head}
    )
    with atomic_path(path) as part:
        part.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def read_packed(path: str | Path, sha256: str | None = None) -> PackedTable:
    """Read a table; with ``sha256``, refuse a file that has changed."""
    place = Path(path)
    try:
        data = place.read_bytes()
    except OSError as error:
        raise FormatError(f"{place} cannot be read: {error}.") from error
    if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
        raise FormatError(f"{place} does not match its checksum; install psif again.")
    arrays, facts = _unpack(place, data)
    n_words, dim = arrays["rows"].shape
    n_topics = len(arrays["atoms"])
    words = arrays["words"].tobytes().decode("utf-8", "replace").split("\n")
    fits = (
        len(words) == len(set(words)) == n_words == len(arrays["scales"]) == len(arrays["counts"])
        and arrays["topics"].shape == arrays["codes"].shape
        and len(arrays["codes"]) == n_words
        and arrays["atoms"].shape == (n_topics, dim)
        and int(arrays["topics"].max(initial=0)) < n_topics
        and arrays["topic_words"].shape == arrays["topic_scores"].shape
        and len(arrays["topic_words"]) == len(arrays["topic_means"]) == n_topics
        and int(arrays["topic_words"].min(initial=0)) >= -1
        and int(arrays["topic_words"].max(initial=0)) < n_words
        and all(np.isfinite(arrays[name]).all() for name in _NUMBERS)
        # No product of a scale and a byte may leave the range of numbers.
        and float(np.abs(arrays["scales"]).max(initial=0)) <= np.finfo(np.float32).max / 128
    )
    if not fits:
        raise FormatError(f"{place}: the arrays do not fit one another; the file is damaged.")
    codes = np.zeros((n_words, n_topics), dtype=np.float32)
    kept = arrays["codes"].astype(np.float32)
    kept /= np.maximum(np.linalg.norm(kept, axis=1, keepdims=True), 1)
    np.put_along_axis(codes, arrays["topics"].astype(np.int64), kept, axis=1)
    vectors = np.multiply(arrays["rows"], arrays["scales"][:, None], dtype=np.float32)
    counts = arrays["counts"].astype(np.int64)
    named = (arrays["topic_words"], arrays["topic_scores"], arrays["topic_means"])
    return PackedTable(words, vectors, counts, codes, arrays["atoms"], *named, facts)


def _unpack(place: Path, data: bytes) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        arrays = load(data)
        length = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + length]).get("__metadata__", {})
        head = json.loads(header.get("psif", "{}"))
        known = head.get("format") == FORMAT and head.get("version") == VERSION
        facts = head.get("facts")
    except (SafetensorError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise FormatError(f"{place} is not a table of psif ({error}).") from error
    if not known or not isinstance(facts, dict):
        raise FormatError(f"{place} is not a table of psif, or of another version.")
    found = {name: (str(array.dtype), array.ndim) for name, array in arrays.items()}
    if found != _ARRAYS:
        raise FormatError(f"{place}: expected the arrays {_ARRAYS}, found {found}.")
    return arrays, dict(head["facts"])
