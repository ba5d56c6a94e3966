"""How the scores of a page were made: commands, dates, versions, tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from psif.evaluation.paper.reproduction import Row
from psif.evaluation.runner.results import Run

TOKENS = {
    "paper": "letters only, without English stop words",
    "unicode": "letters and digits",
    "words": "words as people write them",
}


def provenance_lines(runs: Iterable[Run]) -> list[str]:
    """One line per command, date, machine and versions that scores were made with."""
    groups: dict[tuple[str, str, str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.command, run.date, run.machine, run.versions), []).append(run)
    return [
        f"{command or 'from Python'}: {len(found)} tasks and methods in "
        f"{sum(run.seconds for run in found) / 60:.0f} minutes, one after the other; "
        f"{date}, {machine}, {versions}."
        for (command, date, machine, versions), found in groups.items()
    ]


def tokens_note(rows: Sequence[Row], runs: Iterable[Run]) -> str:
    """Say which tokens the methods of a table had, where they differ or differed."""
    places = {
        (row.task.partition("/")[0], row.method, protocol) for row in rows for protocol in row.ours
    }
    by_tokens: dict[str, dict[str, None]] = {}
    for run in runs:
        if run.job in places and run.tokens:
            by_tokens.setdefault(run.tokens, {})[run.method] = None
    if not by_tokens:
        return ""
    usual = max(by_tokens, key=lambda tokens: len(by_tokens[tokens]))
    note = f"Tokens: {_described(usual)}"
    for tokens, methods in by_tokens.items():
        if tokens != usual:
            note += f"; {', '.join(methods)}: {_described(tokens)}"
    return f"{note}."


def _described(tokens: str) -> str:
    return f"{tokens} ({TOKENS[tokens]})" if tokens in TOKENS else tokens
