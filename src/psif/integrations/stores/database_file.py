"""Databases that are one file."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import suppress
from pathlib import Path

from psif.errors import InputError
from psif.files.writers.working_folder import part_folder
from psif.integrations.stores.appearing import Appearing, complete_earlier
from psif.integrations.stores.base import Store

_FILE = "database"


class DatabaseFile(Store):
    """A database in a file; a new one appears when it is complete.

    A database that exists may hold more than our table, so it is written to as it is, one batch
    per transaction.
    """

    _working: Appearing | None = None

    def open(self) -> None:
        """Open the file that is there, or begin one in the working folder."""
        self._path = Path(self.target.place)
        complete_earlier(self._path)
        if self._path.exists():
            self.connect(self._path)
            return
        left = part_folder(self._path) / _FILE
        if left.exists() and not self.target.may_exist:
            raise InputError(
                f"{left.parent} holds an interrupted export. Add --resume to continue it, "
                "or --replace to start over."
            )
        self._working = Appearing(self._path, self.target.key, keep=self.target.resumes)
        self.connect(self._working.folder / _FILE)

    def appear(self) -> None:
        """Put a new file in place."""
        if self._working is not None:
            self.disconnect()
            self._working.appear([(_FILE, self._path)])

    def close(self) -> None:
        """Close the file; what is not complete stays for --resume, if there are documents in it."""
        keep = False
        if self._working is not None:
            with suppress(Exception):  # not connected, or broken
                keep = self.count() > 0
        try:
            self.disconnect()
        finally:
            if self._working is not None:
                self._working.close(keep=keep)

    @abstractmethod
    def connect(self, path: Path) -> None:
        """Open a file, and make the table where there is none."""

    @abstractmethod
    def disconnect(self) -> None:
        """Close the file, if it is open."""
