"""Results on standard output. They hold text of other people, which must not act on a terminal."""

from __future__ import annotations

import sys
from typing import Any

from psif.runtime.visible import json_visible, visible


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

    text = json_visible(json.dumps(value, ensure_ascii=False, default=str))
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
