"""What is told to the user on standard error while results go to standard output."""

from __future__ import annotations

import sys
import time
from typing import ClassVar


class Messages:
    """Notes and progress, at three levels: 0 quiet, 1 normal, 2 verbose."""

    # Whether a progress line stands on the terminal, to be ended before anything else is written.
    _open_line: ClassVar[bool] = False

    def __init__(self, level: int = 1) -> None:
        self.level = level

    def say(self, text: str) -> None:
        """Tell what happened."""
        if self.level >= 1:
            self.end_line()
            print(text, file=sys.stderr, flush=True)

    def note(self, text: str) -> None:
        """Tell a detail, to those who asked for them."""
        if self.level >= 2:
            self.say(text)

    def warn(self, text: str) -> None:
        """Tell what should not be overlooked."""
        self.say(f"Warning: {text}")

    def progress(self, what: str, total_bytes: int | None) -> Progress:
        """Start to show how far a stream of documents is."""
        return Progress(what, total_bytes, shown=self.level >= 1)

    @classmethod
    def end_line(cls) -> None:
        """Leave the progress line as it stands."""
        if cls._open_line:
            print(file=sys.stderr, flush=True)
            cls._open_line = False


class Progress:
    """Documents, speed, share, time left: one line rewritten, or a line now and then in a log."""

    def __init__(self, what: str, total_bytes: int | None, *, shown: bool) -> None:
        self._what, self._total, self._shown = what, total_bytes, shown
        self._terminal = sys.stderr.isatty()
        self._interval = 0.2 if self._terminal else 15.0
        self._began = self._last = time.monotonic()

    def update(self, n_docs: int, bytes_read: int) -> None:
        """Show the state, unless it was shown a moment ago."""
        now = time.monotonic()
        if not self._shown or now - self._last < self._interval:
            return
        self._last = now
        text = f"{self._what}: {n_docs:,} documents, {n_docs / (now - self._began):,.0f}/s"
        if self._total and bytes_read:
            share = min(1.0, bytes_read / self._total)
            left = (now - self._began) * (1 - share) / share
            text += f", {share:.0%}, {_duration(left)} left"
        self._write(text)

    def steps(self, done: int, total: int) -> None:
        """Show how many parts of a pass are done, unless it was shown a moment ago."""
        now = time.monotonic()
        if self._shown and now - self._last >= self._interval:
            self._last = now
            self._write(f"{self._what}: {done:,} of {total:,} partitions of this pass")

    def _write(self, text: str) -> None:
        if self._terminal:
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
            Messages._open_line = True
        else:
            print(text, file=sys.stderr, flush=True)

    def done(self) -> None:
        """Take the line away."""
        if Messages._open_line:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            Messages._open_line = False


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02}" if hours else f"{minutes}:{rest:02}"
