"""Text of other people on a terminal: nothing in it may act on the terminal."""

from __future__ import annotations

import re
import sys
from typing import Any

# Control characters (C0, DEL, C1), which can move the cursor, set the title or press keys; those
# that reorder or hide text (bidirectional controls, line separators, interlinear marks); and lone
# surrogates, which cannot be printed.
_ACTIVE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)


def visible(text: str, *, keep: str = "") -> str:
    r"""Return ``text`` with each active character written as an escape such as ``\x1b``.

    ``keep`` are characters to leave as they are: a line feed in a text of several lines.
    """

    def escape(match: re.Match[str]) -> str:
        character = match.group()
        return character if character in keep else repr(character)[1:-1]

    return _ACTIVE.sub(escape, text)


def echo(text: object) -> None:
    """Print lines for people on standard output."""
    import click

    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    shown = visible(str(text), keep="\n\t")
    click.echo(shown.encode(encoding, "backslashreplace").decode(encoding))


def print_json(value: object) -> None:
    """Print a value for programs; what the encoding of the output lacks is written as escapes."""
    import json

    import click

    text = json.dumps(value, ensure_ascii=False, default=str)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, default=str)
    click.echo(text)


def print_rich(renderable: Any) -> None:
    """Print with colours on a terminal; only what rich itself adds may act on it."""
    from rich.console import Console
    from rich.segment import Segment, Segments

    console = Console()
    console.print(
        Segments(
            segment if segment.control else Segment(visible(segment.text, keep="\n"), segment.style)
            for segment in console.render(renderable)
        ),
        end="",
    )
