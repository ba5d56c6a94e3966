"""Tasks, metrics and protocols: score any method of making document vectors.

>>> from psif.evaluation import TASKS, run
>>> "20news" in TASKS
True
"""

from psif.evaluation.data.own_files import labelled_files
from psif.evaluation.runner.evaluate import run
from psif.evaluation.runner.results import Failure, Report, Result, Run
from psif.evaluation.tasks import GROUPS, TASKS
from psif.evaluation.tasks.base import Documents, LabelledData, PairData, Pairs, Task
from psif.evaluation.tasks.search import SearchData, collection_files

__all__ = [
    "GROUPS",
    "TASKS",
    "Documents",
    "Failure",
    "LabelledData",
    "PairData",
    "Pairs",
    "Report",
    "Result",
    "Run",
    "SearchData",
    "Task",
    "collection_files",
    "labelled_files",
    "run",
]
