"""Files of documents, read as a stream of ids and texts; one format per module."""

from __future__ import annotations

from psif.files.readers.documents import FORMATS, read_documents
from psif.files.readers.ids import check_ids, id_problem
from psif.files.readers.options import ReadOptions, ReadReport
from psif.files.readers.streams import is_stream, spool_streams

__all__ = [
    "FORMATS",
    "ReadOptions",
    "ReadReport",
    "check_ids",
    "id_problem",
    "is_stream",
    "read_documents",
    "spool_streams",
]
