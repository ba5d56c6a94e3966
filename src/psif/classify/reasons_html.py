"""Reasons of a label as HTML: the text with its words tinted, and the strongest parts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from psif.text.spans import word_spans

if TYPE_CHECKING:
    from psif.classify.reasons import Reasons

# Characters of a text that are shown: a notebook should stay readable, and light.
_MOST_CHARACTERS = 4_000
_WORDS, _TOPICS = 10, 6


def render(reasons: Reasons) -> str:
    """Return an HTML fragment without scripts; everything from the text is escaped."""
    than = "" if reasons.against is None else f" against {escape(str(reasons.against))}"
    words = [(word.word, word.share) for word in reasons.words[:_WORDS]]
    topics = [(topic.name, topic.share) for topic in reasons.topics[:_TOPICS]]
    return (
        '<div style="max-width:60em;line-height:1.6">'
        f"<p><b>{escape(str(reasons.label))}{than}: score {reasons.score:+.3f}</b> "
        f"(bias {reasons.bias:+.3f})</p>"
        f'<p style="overflow-wrap:anywhere">{tinted(reasons)}</p>'
        '<div style="display:flex;flex-wrap:wrap;gap:1.5em">'
        f"{_table('word', words)}{_table('topic', topics)}</div></div>"
    )


def tinted(reasons: Reasons) -> str:
    """Return the text with green words for the label and red words against it."""
    shares = {word.word: word.share for word in reasons.words}
    strongest = max((abs(share) for share in shares.values()), default=0.0) or 1.0
    text = reasons.text[:_MOST_CHARACTERS]
    spans = [] if reasons.tokenizer is None else list(word_spans(text, reasons.tokenizer))
    pieces, place = [], 0
    for span in spans:
        pieces.append(escape(text[place : span.start]))
        shown, share = escape(text[span.start : span.end]), shares.get(span.word, 0.0)
        if share:
            hue = 140 if share > 0 else 5
            colour = f"hsla({hue},65%,45%,{0.05 + 0.5 * abs(share) / strongest:.2f})"
            shown = (
                f'<span title="{share:+.4f}" style="background:{colour};border-radius:3px">'
                f"{shown}</span>"
            )
        pieces.append(shown)
        place = span.end
    pieces.append(escape(text[place:]))
    return "".join(pieces) + (" …" if len(reasons.text) > _MOST_CHARACTERS else "")


def _table(heading: str, rows: list[tuple[str, float]]) -> str:
    cells = "".join(
        f'<tr><td style="text-align:left">{escape(name)}</td><td>{share:+.3f}</td></tr>'
        for name, share in rows
    )
    return f"<table><tr><th>{heading}</th><th>share</th></tr>{cells}</table>"
