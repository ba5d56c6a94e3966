"""The tables of the paper, and two of our own: which scores each of them holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from psif.evaluation.metrics.lengths import BINS, bin_name
from psif.evaluation.paper.plans import ALSO, RETRIEVAL_SETS, compared_methods
from psif.evaluation.runner.results import Result
from psif.evaluation.tasks import GROUPS
from psif.runtime.suggestions import unknown_name

PROTOCOLS = ("paper", "inductive")
# Methods of the figure "gain over SIF by length", and SIF itself.
FIGURE_METHODS = ("psif", "psif-plain", "psif-hybrid", "scdv", "tfidf", "sif")
_LENGTHS = frozenset(bin_name(low, high) for low, high in BINS)


@dataclass(frozen=True)
class PaperTable:
    """Which scores a table holds.

    Attributes
    ----------
    name, title : str
    source : str
        The printed table, see :mod:`psif.evaluation.paper.published`; "" for a table of our own.
    tasks, metrics : tuple of str
    parts : bool
        It has rows for sub-tasks or classes beside those for tasks.
    protocols : tuple of str
        Of the scores of ours that it shows.
    """

    name: str
    title: str
    source: str
    tasks: tuple[str, ...]
    metrics: tuple[str, ...]
    parts: bool = False
    protocols: tuple[str, ...] = PROTOCOLS

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """Methods of ours that the printed table has."""
        if self.name == "examples":
            return ("sif", "psif")
        return compared_methods(self.source, self.tasks, self.metrics)

    def shows(self, method: str) -> bool:
        """Whether a method has a row: the printed ones, and what a user would try first."""
        return not self.source or method in (*self.methods, *ALSO)

    def holds(self, result: Result) -> bool:
        """Whether a result belongs here."""
        task, _, part = result.task.partition("/")
        return (
            task in self.tasks
            and result.metric in self.metrics
            and (not part or (self.parts and part not in _LENGTHS and self.shows(result.method)))
        )


_CLASSES = ("accuracy", "precision", "recall", "f1")
_PEARSON = ("pearson",)

TABLES: Mapping[str, PaperTable] = MappingProxyType(
    {
        table.name: table
        for table in (
            PaperTable("newsgroups", "20 Newsgroups", "newsgroups", ("20news",), _CLASSES),
            PaperTable(
                "classes", "20 Newsgroups, class by class", "newsgroups_classes", ("20news",),
                _CLASSES[1:], parts=True,
            ),
            PaperTable(
                "reuters", "Reuters-21578, several labels", "reuters", ("reuters",),
                ("P@1", "P@5", "nDCG@5 (authors)", "nDCG@5", "coverage_error", "LRAP",
                 "F1 (micro)"),
            ),
            PaperTable(
                "word-mover", "Comparison with the word mover's distance", "word_mover",
                GROUPS["wmd"], ("accuracy",),
            ),
            PaperTable(
                "similarity", "Similarity of sentences, by year", "similarity",
                ("sts12", "sts13", "sts14", "sts15", "sick-r", "pit2015"), _PEARSON,
            ),
            PaperTable(
                "recent", "Similarity of sentences, recent methods", "similarity_recent",
                GROUPS["sts"], _PEARSON,
            ),
            PaperTable(
                "similarity-detail", "Similarity of sentences, 2012 to 2015, by sub-task",
                "similarity_detail", GROUPS["sts"][:4], _PEARSON, parts=True,
            ),
            PaperTable(
                "sts16", "Similarity of sentences, 2016, by sub-task", "sts16", ("sts16",),
                _PEARSON, parts=True,
            ),
            PaperTable(
                "supervised", "Learned similarity, entailment and sentiment", "supervised",
                ("sick-r", "sick-e", "sst2"), ("supervised pearson", "accuracy"),
            ),
            PaperTable(
                "examples", "Pairs of captions, P-SIF and SIF", "examples", ("examples",),
                ("cosine",), parts=True,
            ),
            PaperTable(
                "pooled", "Similarity of sentences as in MTEB: all pairs of a year pooled, "
                "Spearman (not in the paper)", "", GROUPS["sts"], ("pooled spearman",),
                protocols=("inductive",),
            ),
            PaperTable(
                "uses", "Retrieval and clustering (not in the paper)", "", RETRIEVAL_SETS,
                ("retrieval P@1", "retrieval P@10", "retrieval mAP", "k-NN accuracy", "V-measure",
                 "NMI", "ARI"), protocols=("inductive",),
            ),
        )
    }
)  # fmt: skip


def find_tables(names: Iterable[str]) -> list[PaperTable]:
    """Tables by name; all of them for no name."""
    chosen = list(dict.fromkeys(names)) or list(TABLES)
    for name in chosen:
        if name not in TABLES:
            raise unknown_name("table", name, list(TABLES))
    return [TABLES[name] for name in chosen]


def is_kept(result: Result) -> bool:
    """Whether the table of scores keeps a result.

    It keeps every score of a whole task; of parts of tasks only those that a page shows.
    """
    _, _, part = result.task.partition("/")
    if not part:
        return True
    if part in _LENGTHS:
        return result.method in FIGURE_METHODS
    return any(table.holds(result) for table in TABLES.values())
