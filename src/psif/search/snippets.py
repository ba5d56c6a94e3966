"""The piece of a text that says most about a hit, with the words that matter marked."""

from __future__ import annotations

from collections.abc import Mapping

from psif.search.stemming import stem_words
from psif.search.words import word_spans
from psif.text.spans import Span

MARK = "**"
_WORDS = 32
# Characters of a text that are looked at: a hit may be a whole book.
_MOST_CHARACTERS = 100_000


def snippet(
    text: str,
    terms: Mapping[str, float],
    words: Mapping[str, float],
    language: str,
    mark: str = MARK,
) -> str:
    """Return the heaviest window of a text on one line.

    Parameters
    ----------
    text : str
    terms : mapping of str to float
        Weights of stems: these are marked.
    words : mapping of str to float
        Weights of single words, such as what they add to the dense part.
    language : str
        Of the stems.
    mark : str
        Put before and after marked words.
    """
    spans = _without_parts(list(word_spans(text[:_MOST_CHARACTERS])))
    if not spans:
        return " ".join(text[:200].split())
    stems = stem_words([span.word for span in spans], language)
    marked = [stem in terms for stem in stems]
    weights = [
        terms.get(stem, 0.0) + max(0.0, words.get(span.word, 0.0))
        for span, stem in zip(spans, stems, strict=True)
    ]
    first = _heaviest(weights, [*stems], _WORDS)
    chosen = range(first, min(first + _WORDS, len(spans)))
    begin = spans[first].start if first else 0
    end = spans[chosen[-1]].end if chosen[-1] + 1 < len(spans) else len(text)
    end = min(end, spans[chosen[-1]].end + 40)
    pieces, place = [], begin
    for i in chosen:
        span = spans[i]
        around = mark if marked[i] else ""
        pieces += [text[place : span.start], around, text[span.start : span.end], around]
        place = span.end
    pieces.append(text[place:end])
    shown = " ".join("".join(pieces).split())
    return f"{'… ' if begin else ''}{shown}{' …' if end < len(text.rstrip()) else ''}"


def _without_parts(spans: list[Span]) -> list[Span]:
    """Keep identifiers instead of the words they are made of."""
    kept: list[Span] = []
    for span in spans:
        while kept and kept[-1].start >= span.start:
            kept.pop()
        kept.append(span)
    return kept


def _heaviest(weights: list[float], stems: list[str], size: int) -> int:
    """First word of the window with most weight; a repeated word counts half each time more."""
    best, best_first = -1.0, 0
    n = len(weights)
    if n <= size:
        return 0
    heavy = [i for i, weight in enumerate(weights) if weight > 0]
    # A window is best begun a few words before a heavy one.
    for i in heavy[:500]:
        first = max(0, min(i - size // 4, n - size))
        seen: dict[str, int] = {}
        total = 0.0
        for j in range(first, min(first + size, n)):
            if weights[j] > 0:
                total += weights[j] * 0.5 ** seen.get(stems[j], 0)
                seen[stems[j]] = seen.get(stems[j], 0) + 1
        if total > best:
            best, best_first = total, first
    return best_first
