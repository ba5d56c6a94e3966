"""Messages and progress on standard error; results go to standard output."""

from __future__ import annotations

import contextlib
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from psif.cli.standard_streams import write_error
from psif.errors import PsifWarning
from psif.runtime.visible import visible


class Messages:
    """Notes and progress, at three levels: 0 quiet, 1 normal, 2 verbose."""

    # Whether the terminal shows a progress line, to be ended before anything else is written.
    _open_line: ClassVar[bool] = False

    def __init__(self, level: int = 1) -> None:
        self.level = level
        self._waiting: list[Callable[[], None]] = []

    def say(self, text: str) -> None:
        """Tell what happened."""
        if self.level >= 1:
            self._write(text)

    def note(self, text: str) -> None:
        """Tell a detail, to those who asked for details."""
        if self.level >= 2:
            self.say(text)

    def warn(self, text: str) -> None:
        """Tell what should not be overlooked."""
        self.say(f"Warning: {text}")

    def fail(self, text: str) -> None:
        """Tell why the command failed, at every level."""
        self._write(f"Error: {text}")

    def fail_part(self, text: str) -> None:
        """Tell why one part of a command failed while others succeeded, at every level."""
        self._write(f"Failed: {text}")

    @contextlib.contextmanager
    def show_warnings(self) -> Iterator[None]:
        """Show the warnings of psif as messages, without the place in the code."""
        before = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, PsifWarning):
                self.warn(str(message))
            else:
                before(message, category, *place, **more)

        warnings.showwarning = show
        try:
            yield
        finally:
            warnings.showwarning = before

    def wait(self, message: Callable[[], None]) -> None:
        """Keep a message until :meth:`settle`: -q and -v may come after the command's name."""
        self._waiting.append(message)

    def settle(self) -> None:
        """Give the messages that waited; the level is known now."""
        while self._waiting:
            self._waiting.pop(0)()

    def _write(self, text: str) -> None:
        self.end_line()
        write_error(visible(text, keep="\n\t"))

    def progress(self, what: str, total_bytes: int | None) -> Progress:
        """Start to show how far a stream of documents is."""
        return Progress(what, total_bytes, shown=self.level >= 1)

    def steps(self, what: str) -> Callable[[int, int], None]:
        """Return a function that a long computation calls as ``progress(done, total)``."""
        line = _Line(shown=self.level >= 1)

        def show(done: int, total: int) -> None:
            line.show(what, done / total if total else 1.0)
            if done >= total:
                line.clear()

        return show

    @classmethod
    def end_line(cls) -> None:
        """End the progress line, so that the next message has a line of its own."""
        if cls._open_line:
            write_error("")
            cls._open_line = False


class _Line:
    """A line of progress: on a terminal it is rewritten, in a log written now and then."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
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
            write_error(f"\r{text}\x1b[K", end="")
            Messages._open_line = True
        else:
            write_error(text)

    def clear(self) -> None:
        """Remove the line."""
        if Messages._open_line:
            write_error("\r\x1b[K", end="")
            Messages._open_line = False


class Progress:
    """Number, speed, share and time left of a stream of documents."""

    def __init__(self, what: str, total_bytes: int | None, *, shown: bool) -> None:
        self._what, self._total = what, total_bytes
        self._line = _Line(shown=shown)

    def update(self, n_docs: int, bytes_read: int) -> None:
        """Show the state, unless it was shown a moment ago."""
        rate = n_docs / max(time.monotonic() - self._line.began, 1e-9)
        share = min(1.0, bytes_read / self._total) if self._total else None
        self._line.show(f"{self._what}: {n_docs:,} documents, {rate:,.0f}/s", share)

    def done(self) -> None:
        """Remove the line."""
        self._line.clear()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02}" if hours else f"{minutes}:{rest:02}"
