"""Text of other people on a terminal: nothing in it may act on the terminal."""

from __future__ import annotations

import re

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


def json_visible(text: str) -> str:
    """Return JSON with each active character as an escape of JSON: the values stay the same."""
    return _ACTIVE.sub(lambda match: _json_escape(match.group()), text)


def _json_escape(character: str) -> str:
    # Between the values JSON itself has line feeds and tabs; inside they are escaped already.
    return character if character in "\n\r\t" else f"\\u{ord(character):04x}"
