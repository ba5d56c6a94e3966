"""What is told to the user on standard error while results go to standard output."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
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

    def steps(self, what: str) -> Callable[[int, int], None]:
        """Return what a long computation calls as ``progress(done, total)``."""
        line = _Line(shown=self.level >= 1)

        def show(done: int, total: int) -> None:
            line.show(what, done / total if total else 1.0)
            if done >= total:
                line.clear()

        return show

    @classmethod
    def end_line(cls) -> None:
        """Leave the progress line as it stands."""
        if cls._open_line:
            print(file=sys.stderr, flush=True)
            cls._open_line = False


class _Line:
    """A line of progress: rewritten on a terminal, written now and then in a log."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._terminal = sys.stderr.isatty()
        self._interval = 0.2 if self._terminal else 15.0
        self.began = self._last = time.monotonic()

    def show(self, text: str, share: float | None) -> None:
        """Show the text, the share done and the time left, unless that was a moment ago."""
        now = time.monotonic()
        if not self._shown or now - self._last < self._interval:
            return
        self._last = now
        if share:
            left = (now - self.began) * (1 - share) / share
            text += f", {share:.0%}, {_duration(left)} left"
        if self._terminal:
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
            Messages._open_line = True
        else:
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if Messages._open_line:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            Messages._open_line = False


class Progress:
    """Documents, speed, share and time left of a stream of documents."""

    def __init__(self, what: str, total_bytes: int | None, *, shown: bool) -> None:
        self._what, self._total = what, total_bytes
        self._line = _Line(shown=shown)

    def update(self, n_docs: int, bytes_read: int) -> None:
        """Show the state, unless it was shown a moment ago."""
        rate = n_docs / max(time.monotonic() - self._line.began, 1e-9)
        share = min(1.0, bytes_read / self._total) if self._total else None
        self._line.show(f"{self._what}: {n_docs:,} documents, {rate:,.0f}/s", share)

    def done(self) -> None:
        """Take the line away."""
        self._line.clear()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02}" if hours else f"{minutes}:{rest:02}"
