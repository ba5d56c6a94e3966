"""All tasks by name, and groups of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from psif.evaluation.tasks import (
    amazon,
    bbcsport,
    classic,
    newsgroups,
    ohsumed,
    pit2015,
    r8,
    recipe,
    reuters,
    reuters_modapte,
    search,
    sick,
    sst2,
    sts12,
    sts13,
    sts14,
    sts15,
    sts16,
    stsb,
    twitter,
)
from psif.evaluation.tasks.base import Task
from psif.runtime.suggestions import unknown_name


def _registry(tasks: Iterable[Task]) -> Mapping[str, Task]:
    found: dict[str, Task] = {}
    for task in tasks:
        if task.name in found:
            raise RuntimeError(f"two tasks are called {task.name!r}.")
        found[task.name] = task
    return MappingProxyType(found)


_WORD_MOVER = (bbcsport, twitter, ohsumed, classic, r8, amazon)
_STS = (sts12, sts13, sts14, sts15, sts16)

TASKS: Mapping[str, Task] = _registry(
    [
        newsgroups.TASK,
        reuters.TASK,
        reuters_modapte.TASK,
        *(module.TASK for module in _WORD_MOVER),
        recipe.TASK,
        *(module.TASK for module in _STS),
        stsb.TASK,
        sick.RELATEDNESS,
        sick.ENTAILMENT,
        pit2015.TASK,
        sst2.TASK,
        search.CRANFIELD,
        search.NPL,
    ]
)

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "sts": tuple(module.TASK.name for module in _STS),
        "wmd": (*(module.TASK.name for module in _WORD_MOVER), "20news", "recipe"),
        "search": (search.CRANFIELD.name, search.NPL.name),
        # Search needs other methods than vectors for a classifier: it is asked for by name.
        "all": tuple(name for name, task in TASKS.items() if task.kind != "search"),
    }
)


def find_tasks(names: Iterable[str]) -> list[Task]:
    """Tasks of names and groups, each once, in the order given."""
    found: dict[str, Task] = {}
    for name in names:
        members = GROUPS.get(name, (name,))
        for member in members:
            if member not in TASKS:
                raise unknown_name("task", member, [*TASKS, *GROUPS])
            found[member] = TASKS[member]
    return list(found.values())
