"""Tell a caller how far a long computation is."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""Called as ``progress(done, total)``; the last call has ``done == total``."""


class Steps:
    """Count finished steps from any thread and report each to ``progress``."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress = progress
        self.total = total
        self.done = 0
        self._lock = Lock()

    def advance(self, steps: int = 1) -> None:
        """Report ``steps`` more; never beyond the total."""
        with self._lock:
            self.done = min(self.done + steps, self.total)
            if self.progress is not None:
                self.progress(self.done, self.total)

    def finish(self) -> None:
        """Report the end, if it was not reached by steps alone."""
        if self.done < self.total:
            self.advance(self.total - self.done)
