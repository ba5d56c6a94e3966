"""When and with which versions each number was measured, and what is missing."""

from __future__ import annotations

from benchmarks.report.section import Section
from benchmarks.results import Run
from psif.runtime.provenance import described


def provenance_sections(run: Run) -> list[Section]:
    """Return the last sections of a report."""
    return [_environments(run), _missing(run)]


def _environments(run: Run) -> Section:
    groups: list[tuple[dict[str, object], list[str]]] = []
    for name, found in run.measurements.items():
        names = next((names for kept, names in groups if kept == found.environment), None)
        if names is None:
            groups.append((found.environment, [name]))
        else:
            names.append(name)
    groups.sort(key=lambda group: str(group[0]["date"]))
    everything = list(run.measurements)
    notes = [
        f"`{environment['command']}`, {described(environment)}: {_summary(names, everything)}."
        for environment, names in groups
    ]
    text = (
        "Each entry gives a command, its date and versions, and the measurements it made. Commands "
        "are those of their day: `python -m benchmarks --again --only NAME` measures one again."
    )
    return Section("How each number was measured", text if notes else "", notes=notes)


def _summary(names: list[str], everything: list[str]) -> str:
    """List names; a group that is complete is named once."""
    whole = {
        group
        for group in dict.fromkeys(name.partition("/")[0] for name in names)
        if {name for name in everything if name.partition("/")[0] == group} <= set(names)
    }
    return ", ".join(
        dict.fromkeys(
            name.partition("/")[0] if name.partition("/")[0] in whole else name for name in names
        )
    )


def _missing(run: Run) -> Section:
    by_reason: dict[str, list[str]] = {}
    for name, reason in run.skipped.items():
        by_reason.setdefault(reason, []).append(name)
    for name, reason in run.failed.items():
        by_reason.setdefault(f"failed: {reason}", []).append(name)
    notes = [f"{', '.join(names)}: {reason}." for reason, names in by_reason.items()]
    return Section("Not measured", "", notes=notes)
