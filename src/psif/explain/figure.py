"""An explanation as a matplotlib figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from psif.errors import MissingExtraError
from psif.explain.terminal import parts

if TYPE_CHECKING:
    from psif.explain.explanation import Explanation


def figure(explanation: Explanation, n_topics: int = 10) -> Any:
    """Draw bars that each start where the previous one ended, from 0 to the score."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plots", "A figure of an explanation") from error
    rows = parts(explanation, n_topics)
    # Not a figure of pyplot: no global state, no window, nothing to close.
    drawing = Figure(figsize=(7.5, 0.36 * len(rows) + 1.4), layout="constrained")
    axes = drawing.subplots()
    reached = 0.0
    for row, (name, share, words) in enumerate(rows):
        axes.barh(row, share, left=reached, color="#2a7f62" if share >= 0 else "#b5473c")
        reached += share
        label = f"{name}: {' '.join(words[:3])}" if words else name
        # A dollar sign in a word does not start a formula.
        axes.text(
            0,
            row,
            label.replace("$", r"\$") + "  ",
            ha="right",
            va="center",
            transform=axes.get_yaxis_transform(),
        )
    axes.axvline(explanation.score, color="black", linewidth=1)
    axes.set_yticks([])
    axes.use_sticky_edges = False
    axes.margins(x=0.03)
    axes.invert_yaxis()
    axes.set_xlabel(f"adds up to the similarity {explanation.score:+.3f}")
    axes.spines[["top", "right", "left"]].set_visible(False)
    return drawing
