"""Files for the bulk interface of Elasticsearch and OpenSearch, and the mapping of their index."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from psif.errors import InputError
from psif.integrations.stores.base import Rows, Store, as_json
from psif.runtime.atomic import replace_folder
from psif.types import FloatVector

# A server takes 100 MB per request by default.
_PART_BYTES = 50_000_000
MAPPING = "mapping.json"


class ElasticsearchStore(Store):
    """A folder with ``mapping.json`` and ``part-00000.ndjson``, ... to send one after another."""

    most_dims = 4_096
    keeps_batches = False

    def open(self) -> None:
        """Begin in a hidden folder beside the one that is asked for."""
        self._folder = Path(self.target.place)
        if self._folder.exists():
            if not (self._folder / MAPPING).is_file():
                raise InputError(f"{self._folder} exists; give a new folder.")
            if not self.target.may_exist:
                raise InputError(f"{self._folder} exists; --replace writes it again.")
        self._working = self._folder.with_name(f".{self._folder.name}.part")
        shutil.rmtree(self._working, ignore_errors=True)
        self._working.mkdir(parents=True)
        self._n_docs = self._n_parts = self._n_zero = 0
        self._part: Any = None
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
        for path in self._folder.glob("part-*.ndjson"):
            with path.open("rb") as file:
                lines += sum(1 for _ in file)
        return lines // 2

    def read(self, ids: list[str]) -> dict[str, FloatVector]:
        """Vectors of some documents, from the files."""
        wanted, found = set(ids), {}
        for path in sorted(self._folder.glob("part-*.ndjson")):
            with path.open(encoding="utf-8") as lines:
                for _, line in zip(lines, lines, strict=True):
                    document = json.loads(line)
                    if document["id"] in wanted and "vector" in document:
                        found[document["id"]] = np.array(document["vector"], dtype=np.float32)
        return found

    def finish(self) -> list[str]:
        """Let the folder appear."""
        self._end_part()
        replace_folder(self._working, self._folder)
        notes = [
            f"make the index with {MAPPING}, then send each part to _bulk "
            "(Content-Type: application/x-ndjson)"
        ]
        if self._n_zero:
            notes.append(f"{self._n_zero:,} documents have no known word and thus no vector")
        return notes

    def close(self) -> None:
        """Remove what is not complete."""
        self._end_part()
        shutil.rmtree(self._working, ignore_errors=True)
