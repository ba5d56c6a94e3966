"""Files of vectors with their ids, written a chunk at a time, one format a file."""

from __future__ import annotations

from psif.files.writers.formats import FORMATS, output_format
from psif.files.writers.job import EmbedJob, JobKey

__all__ = ["FORMATS", "EmbedJob", "JobKey", "output_format"]
