"""Files of documents, read as a stream of ids and texts, one format a file."""

from __future__ import annotations

from psif.text.readers.documents import FORMATS, read_documents
from psif.text.readers.options import ReadOptions, ReadReport

__all__ = ["FORMATS", "ReadOptions", "ReadReport", "read_documents"]
