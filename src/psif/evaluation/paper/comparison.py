"""Tables at a glance: one row per method, published / paper / inductive in each cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from psif.evaluation.paper.grids import Grid
from psif.evaluation.paper.reproduction import Row

_NOTHING = "–"


def comparison_grid(rows: Sequence[Row], protocols: Sequence[str]) -> Grid:
    """Header and cells: methods down, metrics across, or tasks where there are several.

    A table of single classes or sub-tasks has them down and methods across. A missing number is a
    dash; a cell without any number is empty, and a row of such cells is left out.
    """
    tasks, methods, metrics = (
        list(dict.fromkeys(getattr(row, name) for row in rows))
        for name in ("task", "method", "metric")
    )
    found = {(row.task, row.method, row.metric): row for row in rows}
    if len(tasks) == 1:
        cells = [[(tasks[0], method, metric) for metric in metrics] for method in methods]
        return _grid("method", methods, metrics, cells, found, protocols)
    if len(metrics) == 1 and not any("/" in task for task in tasks):
        cells = [[(task, method, metrics[0]) for task in tasks] for method in methods]
        return _grid("method", methods, tasks, cells, found, protocols)
    places = [(task, metric) for task in tasks for metric in metrics]
    names = [task if len(metrics) == 1 else f"{task}, {metric}" for task, metric in places]
    cells = [[(task, method, metric) for method in methods] for task, metric in places]
    return _grid("task", names, methods, cells, found, protocols)


def mean_grid(rows: Sequence[Row], protocol: str) -> Grid:
    """Header and cells: methods down, metrics across, means over all tasks of the table.

    Only methods that have been scored on every task are compared.
    """
    tasks = {row.task for row in rows}
    metrics = list(dict.fromkeys(row.metric for row in rows))
    grid = [["method", *metrics]]
    for method in dict.fromkeys(row.method for row in rows):
        cells = [method]
        for metric in metrics:
            scores = [
                row.ours[protocol].score
                for row in rows
                if (row.method, row.metric) == (method, metric) and protocol in row.ours
            ]
            cells.append(f"{np.mean(scores):.1f}" if len(scores) == len(tasks) else "")
        if any(cells[1:]):
            grid.append(cells)
    return grid


def _grid(
    corner: str,
    names: Sequence[str],
    across: Sequence[str],
    keys: Sequence[Sequence[tuple[str, str, str]]],
    found: dict[tuple[str, str, str], Row],
    protocols: Sequence[str],
) -> Grid:
    lines = [
        [name, *(_cell(found.get(key), protocols) for key in line)]
        for name, line in zip(names, keys, strict=True)
    ]
    return [[corner, *across], *(line for line in lines if any(line[1:]))]


def _cell(row: Row | None, protocols: Sequence[str]) -> str:
    if row is None:
        return ""
    published = _NOTHING if row.published is None else f"{row.published:g}"
    ours = [f"{row.ours[p].score:.1f}" if p in row.ours else _NOTHING for p in protocols]
    return " / ".join([published, *ours])
