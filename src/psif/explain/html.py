"""An explanation as HTML: both texts with words coloured by topic, and the parts of the score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

from psif.explain.terminal import parts
from psif.text.spans import word_spans

if TYPE_CHECKING:
    from psif.explain.explanation import Explanation

# The number of characters of a text that are shown, so that a notebook stays readable.
_MOST_CHARACTERS = 4_000
_TOPICS, _PAIRS = 6, 8


def render(explanation: Explanation) -> str:
    """Return an HTML fragment without scripts; all text of the documents is escaped."""
    strongest = max(
        [abs(s) for s in (*explanation.words_a.values(), *explanation.words_b.values())],
        default=0.0,
    )
    texts = "".join(
        f'<p style="flex:1 1 18em;margin:0;overflow-wrap:anywhere">{_text(*side, strongest)}</p>'
        for side in (
            (explanation, explanation.text_a, explanation.words_a, explanation.word_topics_a),
            (explanation, explanation.text_b, explanation.words_b, explanation.word_topics_b),
        )
    )
    return (
        '<div style="max-width:60em;line-height:1.6">'
        f"<p><b>similarity {explanation.score:+.3f}</b></p>"
        f'<div style="display:flex;flex-wrap:wrap;gap:1.5em">{texts}</div>'
        f'<div style="display:flex;flex-wrap:wrap;gap:1.5em">'
        f"{_parts(explanation)}{_pairs(explanation)}</div></div>"
    )


def topic_colour(topic: int, strength: float) -> str:
    """Return the colour of a topic at a strength from 0 to 1; nearby numbers differ in hue."""
    return f"hsla({topic * 137.508 % 360:.0f},65%,50%,{0.08 + 0.5 * strength:.2f})"


def _text(
    explanation: Explanation,
    text: str,
    shares: dict[str, float],
    topics: dict[str, int],
    strongest: float,
) -> str:
    marks: Iterable[tuple[str, str, str]]
    if explanation.tokenizer is None or not text:
        marks = [(word, word, " ") for word in shares]
    else:
        marks = _marks(explanation, text[:_MOST_CHARACTERS])
    pieces = []
    for shown, word, after in marks:
        share = shares.get(word, 0.0)
        if share and strongest:
            colour = topic_colour(topics[word], abs(share) / strongest)
            line = "border-bottom:2px solid #b5473c;" if share < 0 else ""
            pieces.append(
                f'<span title="{share:+.4f}, topic {topics[word]}" '
                f'style="background:{colour};{line}border-radius:3px">{escape(shown)}</span>'
            )
        else:
            pieces.append(escape(shown))
        pieces.append(escape(after))
    return "".join(pieces) + (" …" if len(text) > _MOST_CHARACTERS else "")


def _marks(explanation: Explanation, text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each word as written and as the model knows it, and the text up to the next."""
    assert explanation.tokenizer is not None
    spans = list(word_spans(text, explanation.tokenizer))
    yield "", "", text[: spans[0].start if spans else len(text)]
    ends = [span.start for span in spans[1:]] + [len(text)]
    for span, end in zip(spans, ends, strict=True):
        yield text[span.start : span.end], span.word, text[span.end : end]


def _parts(explanation: Explanation) -> str:
    rows = "".join(
        f'<tr><td style="text-align:left">{escape(name)}</td><td>{share:+.3f}</td>'
        f'<td style="text-align:left">{escape(" ".join(words))}</td></tr>'
        for name, share, words in parts(explanation, _TOPICS)
    )
    return f"<table><tr><th>part</th><th>share</th><th>words</th></tr>{rows}</table>"


def _pairs(explanation: Explanation) -> str:
    rows = "".join(
        f'<tr><td style="text-align:left">{escape(pair.a)} ~ {escape(pair.b)}</td>'
        f"<td>{pair.share:+.3f}</td></tr>"
        for pair in explanation.pairs[:_PAIRS]
    )
    return f"<table><tr><th>word pair</th><th>share</th></tr>{rows}</table>"
