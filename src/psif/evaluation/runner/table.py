"""Results as a table of plain text."""

from __future__ import annotations

from collections.abc import Sequence

from psif.evaluation.runner.results import Result

_HEADER = ("task", "method", "protocol", "metric", "score", "published", "difference", "as", "s")


def result_table(results: Sequence[Result]) -> str:
    """One line per result; scores with ± where there are several runs."""
    rows = [_HEADER, *(_row(result) for result in results)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADER))]
    numeric = {"score", "published", "difference", "s"}
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if name in numeric else cell.ljust(width)
            for name, cell, width in zip(_HEADER, row, widths, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    notes = {result.sample for result in results if result.sample is not None}
    lines += [f"At most {n} documents of each split: not comparable." for n in sorted(notes)]
    return "\n".join(lines)


def _row(result: Result) -> tuple[str, ...]:
    score = f"{result.score:.2f}"
    if result.deviation is not None:
        score += f" ± {result.deviation:.2f}"
    difference = "" if result.difference is None else f"{result.difference:+.2f}"
    return (
        result.task,
        result.method,
        result.protocol,
        result.metric,
        score,
        "" if result.published is None else f"{result.published:g}",
        difference,
        result.published_as or "",
        f"{result.seconds:.0f}",
    )
