"""Explanations and topics as HTML, for notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from psif.text.spans import word_spans

if TYPE_CHECKING:
    from psif.explain.explanation import Explanation
    from psif.explain.topics import Topic

# The number of characters of a text that are shown, so that a notebook stays readable.
_MOST_CHARACTERS = 20_000
# A longer text is folded after this many characters, at the end of a line or sentence.
_FOLD = 1_200
_TOPICS, _PAIRS = 6, 8
_CELL = "text-align:left;padding:2px 8px"
_FOLDED = re.compile(r"\n|(?<=[.!?。])\s")


def render(explanation: Explanation) -> str:
    """Return an HTML fragment without scripts; all text of the documents is escaped.

    The words of both texts are tinted by topic. Chips of the same colours stand beside the topics
    in the table of parts.
    """
    strongest = max(
        [abs(s) for s in (*explanation.words_a.values(), *explanation.words_b.values())],
        default=0.0,
    )
    labels = {topic.topic: topic.label for topic in explanation.topics}
    texts = "".join(
        f'<div style="flex:1 1 18em;margin:0;overflow-wrap:anywhere;white-space:pre-wrap">'
        f"{_text(explanation, *side, strongest, labels)}</div>"
        for side in (
            (explanation.text_a, explanation.words_a, explanation.word_topics_a),
            (explanation.text_b, explanation.words_b, explanation.word_topics_b),
        )
    )
    return (
        '<div style="max-width:60em;line-height:1.6">'
        f"<p><b>similarity {explanation.score:+.3f}</b></p>"
        f'<div style="display:flex;flex-wrap:wrap;gap:1.5em">{texts}</div>'
        f'<div style="display:flex;flex-wrap:wrap;gap:1.5em">'
        f"{_parts(explanation)}{_pairs(explanation)}</div></div>"
    )


def render_topic(topic: Topic) -> str:
    """Return a topic as an HTML fragment: its chip, its name, its share, its words."""
    words = ", ".join(map(escape, topic.words))
    opposite = (
        f'<div style="opacity:.7">opposite: {", ".join(map(escape, topic.opposite_words))}</div>'
        if topic.opposite_words
        else ""
    )
    return (
        f'<div style="line-height:1.6">{chip(topic.index)} <b>{escape(topic.label)}</b> '
        f'<span style="opacity:.7">topic {topic.index}, {topic.share:.1%} of the corpus</span>'
        f"<div>{words}</div>{opposite}</div>"
    )


def topic_colour(topic: int, strength: float) -> str:
    """Return the colour of a topic at a strength from 0 to 1; nearby numbers differ in hue."""
    return f"hsla({topic * 137.508 % 360:.0f},65%,50%,{0.08 + 0.5 * strength:.2f})"


def chip(topic: int) -> str:
    """Return a small square of a topic's colour."""
    return (
        f'<span style="display:inline-block;width:.8em;height:.8em;border-radius:3px;'
        f'background:{topic_colour(topic, 1.0)}"></span>'
    )


def _text(
    explanation: Explanation,
    text: str,
    shares: dict[str, float],
    topics: dict[str, int],
    strongest: float,
    labels: dict[int, str],
) -> str:
    """Return one text with tinted words; a long text is folded, and cut where it is very long."""
    whole = text
    text = text[:_MOST_CHARACTERS]
    marks: Iterable[tuple[str, str, str]]
    if explanation.tokenizer is None or not text:
        marks = [(word, word, " ") for word in shares]
    else:
        marks = _marks(explanation, text)
    fold = _fold_at(text)
    seen, pieces = 0, []
    for shown, word, after in marks:
        share = shares.get(word, 0.0)
        if share and strongest:
            colour = topic_colour(topics[word], abs(share) / strongest)
            line = "border-bottom:2px solid #b5473c;" if share < 0 else ""
            title = escape(f"{share:+.4f}, {labels.get(topics[word], '')}", quote=True)
            pieces.append(
                f'<span title="{title}" '
                f'style="background:{colour};{line}border-radius:3px">{escape(shown)}</span>'
            )
        else:
            pieces.append(escape(shown))
        pieces.append(escape(after))
        seen += len(shown) + len(after)
        if fold is not None and seen >= fold:
            rest = len(whole) - seen
            pieces.append(f"<details><summary>{rest:,} more characters</summary>")
            fold = None
    folded = "</details>" if any(piece.startswith("<details>") for piece in pieces) else ""
    return "".join(pieces) + (" …" if len(whole) > _MOST_CHARACTERS else "") + folded


def _fold_at(text: str) -> int | None:
    """Return where a long text is folded: after the last line or sentence before the limit."""
    if len(text) <= 1.5 * _FOLD:
        return None
    ends: Sequence[int] = [found.end() for found in _FOLDED.finditer(text, 0, _FOLD)]
    return ends[-1] if ends and ends[-1] > _FOLD // 2 else _FOLD


def _marks(explanation: Explanation, text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each word as written and as the model knows it, and the text up to the next."""
    assert explanation.tokenizer is not None
    spans = list(word_spans(text, explanation.tokenizer))
    yield "", "", text[: spans[0].start if spans else len(text)]
    ends = [span.start for span in spans[1:]] + [len(text)]
    for span, end in zip(spans, ends, strict=True):
        yield text[span.start : span.end], span.word, text[span.end : end]


def _parts(explanation: Explanation) -> str:
    active = [topic for topic in explanation.topics if topic.share]
    rows = [
        (chip(topic.topic), topic.label, topic.share, " ".join(topic.words))
        for topic in active[:_TOPICS]
    ]
    rest = active[_TOPICS:]
    if rest:
        rows.append(("", f"{len(rest)} other topics", sum(topic.share for topic in rest), ""))
    if explanation.removed:
        rows.append(("", "common part removed", explanation.removed, ""))
    cells = "".join(
        f'<tr><td style="{_CELL}">{square} {escape(name)}</td><td>{share:+.3f}</td>'
        f'<td style="{_CELL}">{escape(words)}</td></tr>'
        for square, name, share, words in rows
    )
    return (
        f"<table><tr><th>topic</th><th>share</th><th>words of these texts</th></tr>{cells}</table>"
    )


def _pairs(explanation: Explanation) -> str:
    rows = "".join(
        f'<tr><td style="{_CELL}">{escape(pair.a)} ~ {escape(pair.b)}</td>'
        f"<td>{pair.share:+.3f}</td></tr>"
        for pair in explanation.pairs[:_PAIRS]
    )
    return f"<table><tr><th>word pair</th><th>share</th></tr>{rows}</table>"
