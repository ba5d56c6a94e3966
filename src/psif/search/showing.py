"""The explanation of a hit as tables for a terminal and as HTML for a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from psif.search.explanation import SearchExplanation

_BAR, _TOPICS, _PAIRS = 20, 8, 8
# A character that no text has, for places to be marked after the text is escaped.
_MARK = "\x00"


def tables(explanation: SearchExplanation) -> Any:
    """Return the parts and the word pairs as a group that rich can print."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    rows = explanation.parts(_TOPICS)
    largest = max((abs(share) for _, share, _ in rows), default=0.0) or 1.0
    # Text, because words of a document are never markup.
    title = Text(f"{explanation.id}: score {explanation.score:+.3f} =")
    parts = Table(title=title, title_justify="left")
    parts.add_column("part")
    parts.add_column("share", justify="right")
    parts.add_column("")
    parts.add_column("words")
    for name, share, words in rows:
        bar = Text("█" * round(_BAR * abs(share) / largest), style="green" if share > 0 else "red")
        parts.add_row(Text(name), f"{share:+.3f}", bar, Text(" ".join(words)))
    pairs = Table(title="strongest word pairs", title_justify="left")
    for heading in ("query", "document"):
        pairs.add_column(heading)
    pairs.add_column("share", justify="right")
    for pair in explanation.pairs[:_PAIRS]:
        pairs.add_row(Text(pair.a), Text(pair.b), f"{pair.share:+.3f}")
    return Group(parts, pairs)


def render(explanation: SearchExplanation) -> str:
    """Return an HTML fragment without scripts; everything from the documents is escaped."""
    pieces = escape(explanation.snippet(_MARK)).split(_MARK)
    marked = "".join(f"<mark>{p}</mark>" if i % 2 else p for i, p in enumerate(pieces))
    parts = "".join(
        f'<tr><td style="text-align:left">{escape(name)}</td><td>{share:+.3f}</td>'
        f'<td style="text-align:left">{escape(" ".join(words))}</td></tr>'
        for name, share, words in explanation.parts(_TOPICS)
    )
    pairs = "".join(
        f'<tr><td style="text-align:left">{escape(pair.a)} ~ {escape(pair.b)}</td>'
        f"<td>{pair.share:+.3f}</td></tr>"
        for pair in explanation.pairs[:_PAIRS]
    )
    return (
        '<div style="max-width:60em;line-height:1.6">'
        f"<p><b>{escape(explanation.id)}: score {explanation.score:+.3f}</b></p>"
        f'<p style="overflow-wrap:anywhere">{marked}</p>'
        '<div style="display:flex;flex-wrap:wrap;gap:1.5em">'
        f"<table><tr><th>part</th><th>share</th><th>words</th></tr>{parts}</table>"
        f"<table><tr><th>word pair</th><th>share</th></tr>{pairs}</table></div></div>"
    )
