"""Files for the bulk interface of Elasticsearch and OpenSearch, and the mapping of their index."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from psif.errors import InputError
from psif.integrations.stores.appearing import Appearing, complete_earlier
from psif.integrations.stores.base import Rows, Store, as_json
from psif.types import FloatVector

# A server takes 100 MB per request by default.
_PART_BYTES = 50_000_000
MAPPING = "mapping.json"
_PARTS = "parts"
_PART = re.compile(r"part-[0-9]{5}\.ndjson")


class ElasticsearchStore(Store):
    """A folder with ``mapping.json`` and ``part-00000.ndjson``, ... to send one after another."""

    most_dims = 4_096
    keeps_batches = False
    _part: Any = None
    _appearing: Appearing | None = None

    def open(self) -> None:
        """Begin in a working folder beside the one that is asked for."""
        self._folder = Path(self.target.place)
        complete_earlier(self._folder)
        if self._folder.exists():
            if not _is_ours(self._folder):
                raise InputError(f"{self._folder} exists; give a new folder.")
            if not self.target.may_exist:
                raise InputError(f"{self._folder} exists; --replace writes it again.")
        self._appearing = Appearing(self._folder, self.target.key, keep=False)
        self._working = self._appearing.folder / _PARTS
        self._working.mkdir()
        self._n_docs = self._n_parts = self._n_zero = 0
        self._mapping()

    def _mapping(self) -> None:
        vector = {
            "type": "dense_vector",
            "dims": self.target.n_dims,
            "index": True,
            "similarity": "cosine",
        }
        properties = {
            "id": {"type": "keyword"},
            "vector": vector,
            "text": {"type": "text"},
            "metadata": {"type": "object"},
        }
        text = json.dumps({"mappings": {"properties": properties}}, indent=1)
        (self._working / MAPPING).write_text(text + "\n", encoding="utf-8")

    def known(self, ids: list[str]) -> set[str]:
        """Nothing is known of the server."""
        return set()

    def write(self, rows: Rows) -> None:
        """Append documents. A zero vector has no cosine: its document comes without a vector."""
        for key, vector, text, metadata in zip(
            rows.ids, rows.vectors, rows.texts, rows.metadata, strict=True
        ):
            # "create" fails for an id that the index has: nothing is replaced unasked.
            action = {"create": {"_index": self.target.table, "_id": key}}
            document: dict[str, Any] = {"id": key}
            if vector.any():
                # Nine digits are enough for every float32.
                document["vector"] = [float(f"{number:.9g}") for number in vector.tolist()]
            else:
                self._n_zero += 1
            if text is not None:
                document["text"] = text
            if metadata:
                document["metadata"] = metadata
            self._append(f"{as_json(action)}\n{as_json(document)}\n")
            self._n_docs += 1

    def _append(self, lines: str) -> None:
        data = lines.encode("utf-8", "surrogatepass")
        if self._part is None or self._part.tell() + len(data) > _PART_BYTES:
            self._end_part()
            path = self._working / f"part-{self._n_parts:05}.ndjson"
            self._part = path.open("xb")
            self._n_parts += 1
        self._part.write(data)

    def _end_part(self) -> None:
        if self._part is not None:
            self._part.close()
            self._part = None

    def count(self) -> int:
        """Return the number of documents in the files."""
        lines = 0
        for path in self._working.glob("part-*.ndjson"):
            with path.open("rb") as file:
                lines += sum(1 for _ in file)
        return lines // 2

    def read(self, ids: list[str]) -> dict[str, FloatVector]:
        """Vectors of some documents, from the files."""
        wanted, found = set(ids), {}
        for path in sorted(self._working.glob("part-*.ndjson")):
            with path.open(encoding="utf-8") as lines:
                for _, line in zip(lines, lines, strict=True):
                    document = json.loads(line)
                    if document["id"] in wanted and "vector" in document:
                        found[document["id"]] = np.array(document["vector"], dtype=np.float32)
        return found

    def finish(self) -> list[str]:
        """Complete the last part."""
        self._end_part()
        notes = [
            f"make the index with {MAPPING}, then send each part to _bulk "
            "(Content-Type: application/x-ndjson)"
        ]
        if self._n_zero:
            notes.append(f"{self._n_zero:,} documents have no known word and thus no vector")
        return notes

    def appear(self) -> None:
        """Let the folder appear."""
        assert self._appearing is not None
        self._appearing.appear([(_PARTS, self._folder)])

    def close(self) -> None:
        """Remove what is not complete."""
        try:
            self._end_part()
        finally:
            if self._appearing is not None:
                self._appearing.close(keep=False)


def _is_ours(folder: Path) -> bool:
    """Whether a folder holds a mapping as above and parts, and nothing else."""
    try:
        mapping = json.loads((folder / MAPPING).read_bytes())
        found = mapping["mappings"]["properties"].keys()
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return False
    others = [path for path in folder.iterdir() if not _PART.fullmatch(path.name)]
    return others == [folder / MAPPING] and found == {"id", "vector", "text", "metadata"}
