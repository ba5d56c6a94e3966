"""The texts of a run: each is read once, and tokenised once per tokenizer, for all methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from psif.evaluation.data.background import background_sentences
from psif.evaluation.tasks.base import LabelledData, PairData, Task
from psif.evaluation.tasks.search import SearchData
from psif.text.tokenised import TokenisedTexts

Data: TypeAlias = LabelledData | PairData | SearchData


class TaskData:
    """Holds the data of one task at a time, and the background sentences.

    Parameters
    ----------
    n_splits : int
        How often a split that is not fixed is drawn.
    sample : int or None
        Use at most this many documents of each split.
    """

    def __init__(self, n_splits: int, sample: int | None) -> None:
        self._n_splits, self._sample = n_splits, sample
        self._task: Task | None = None
        self._splits: list[Data] = []
        self._background: TokenisedTexts | None = None

    def splits(self, task: Task) -> Sequence[Data]:
        """Return the data of a task: one, or one for every split that is drawn."""
        if self._task is not task:
            # Forget the last task first: two large ones need not fit into memory.
            self._task, self._splits = None, []
            self._splits = self._load(task)
            self._task = task
        return self._splits

    def background(self) -> Sequence[str]:
        """Return the sentences that similarity tasks learn from under the inductive protocol."""
        if self._background is None:
            self._background = TokenisedTexts(background_sentences(self._sample))
        return self._background

    def _load(self, task: Task) -> list[Data]:
        data: Data = task.load()
        if self._sample is None:
            data = data.tokenised()
        if isinstance(data, PairData | SearchData):
            splits: list[Data] = [data]
        elif task.folds:
            splits = [data.fold(number, task.folds) for number in range(task.folds)]
        elif task.own_split:
            n_splits = min(self._n_splits, task.most_splits)
            splits = [data.resplit(seed) for seed in range(n_splits)]
        else:
            splits = [data]
        if self._sample is None:
            return splits
        return [split.sample(self._sample).tokenised() for split in splits]
