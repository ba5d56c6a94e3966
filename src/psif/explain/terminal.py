"""An explanation as tables for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from psif.explain.explanation import Explanation

_BAR = 20


def tables(explanation: Explanation, n_topics: int = 10, n_pairs: int = 10) -> Any:
    """Return the topics and the word pairs as a group that rich can print."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    rows = parts(explanation, n_topics)
    largest = max((abs(share) for _, share, _ in rows), default=0.0) or 1.0
    topics = Table(title=f"similarity {explanation.score:+.3f} =", title_justify="left")
    for heading, justify in (
        ("topic", "left"),
        ("share", "right"),
        ("", "left"),
        ("words of these texts", "left"),
    ):
        topics.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for name, share, words in rows:
        bar = "█" * round(_BAR * abs(share) / largest)
        # As Text, so that a word of a document is never read as markup.
        colour = "green" if share >= 0 else "red"
        topics.add_row(Text(name), f"{share:+.3f}", Text(bar, style=colour), Text(" ".join(words)))
    pairs = Table(title="strongest word pairs", title_justify="left")
    for heading in ("first text", "second text"):
        pairs.add_column(heading)
    pairs.add_column("share", justify="right")
    for pair in explanation.pairs[:n_pairs]:
        pairs.add_row(Text(pair.a), Text(pair.b), f"{pair.share:+.3f}")
    return Group(topics, pairs)


def parts(explanation: Explanation, n_topics: int) -> list[tuple[str, float, list[str]]]:
    """Return name, share and words of each part: strongest topics, other topics, removed part.

    The shares sum to the score. Topics that add nothing are left out.
    """
    active = [topic for topic in explanation.topics if topic.share]
    shown, rest = active[:n_topics], active[n_topics:]
    rows = [(topic.label, topic.share, topic.words) for topic in shown]
    if rest:
        rows.append((f"{len(rest)} other topics", sum(topic.share for topic in rest), []))
    if explanation.removed:
        rows.append(("common part removed", explanation.removed, []))
    return rows
