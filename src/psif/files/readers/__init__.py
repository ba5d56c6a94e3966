"""Files of documents, read as a stream of ids and texts, one format a file."""

from __future__ import annotations

from psif.files.readers.documents import FORMATS, read_documents
from psif.files.readers.options import ReadOptions, ReadReport

__all__ = ["FORMATS", "ReadOptions", "ReadReport", "read_documents"]
