"""Score methods with several seeds, and keep which test documents each of them got right.

A seed enters everything that is random: word vectors, topics, folds, and the split where the
authors' is not available. All methods have the same splits, so that they can be compared document
by document.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from psif.errors import InputError
from psif.evaluation.runner.build import MethodBuilder
from psif.evaluation.runner.cache_key import cache_key
from psif.evaluation.runner.protocols import CLASSIFICATION, find_protocol
from psif.evaluation.runner.score import score_labelled
from psif.evaluation.runner.shared_vectors import TrainedVectors
from psif.evaluation.tasks.base import LabelledData, Task
from psif.runtime.atomic import atomic_path


@dataclass(frozen=True)
class Decisions:
    """What one method got right with one seed.

    Attributes
    ----------
    method : str
    seed : int
    documents : ndarray of int
        Numbers of the test documents among all documents of the set.
    correct : ndarray of bool
        Whether the class of each, or the first of its labels, is right.
    """

    method: str
    seed: int
    documents: NDArray[np.int64]
    correct: NDArray[np.bool_]

    @property
    def score(self) -> float:
        """Accuracy, or P@1 where documents have several labels, × 100."""
        return 100 * float(self.correct.mean())


def score_seeds(
    task: Task,
    methods: Iterable[str],
    seeds: Iterable[int],
    *,
    protocol: str = "inductive",
    cache: str | Path,
    n_jobs: int | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> list[Decisions]:
    """Score methods on documents with labels, once per seed.

    Finished ones are kept in the folder ``cache``, so that an interrupted run can continue.
    """
    methods = list(methods)
    if task.kind not in ("classes", "labels"):
        raise InputError(f"{task.name} has no labels of documents; seeds are compared on these.")
    whole: LabelledData = task.load().tokenised()
    found = []
    for seed in seeds:
        data = whole.resplit(seed) if task.own_split else whole
        documents = np.arange(len(whole.train) + len(whole.test))
        if task.own_split:
            documents = whole.drawn_order(seed)
        # Methods that learn the same word vectors with this seed share them.
        trained = TrainedVectors()
        for method in methods:
            builder = MethodBuilder(
                method, find_protocol(protocol), CLASSIFICATION, {}, seed, n_jobs, tell,
                trained=trained,
            )  # fmt: skip
            correct = _correct(task, data, builder, Path(cache), tell)
            found.append(Decisions(method, seed, documents[-len(data.test) :], correct))
    return found


def _correct(
    task: Task, data: LabelledData, builder: MethodBuilder, cache: Path, tell: Callable[[str], None]
) -> NDArray[np.bool_]:
    key = cache_key(task, [builder], "default", seed=builder.random_state)
    place = cache / f"seeds-{_digest(key)}.json"
    name = f"{task.name}, {builder.method}, {builder.protocol.name}, seed {builder.random_state}"
    known = _read(place, len(data.test))
    if known is not None:
        tell(f"{name}: known already")
        return known
    begin = time.perf_counter()
    details = score_labelled(task, data, [(builder, ("classification",))]).details
    correct: NDArray[np.bool_] = np.asarray(details["correct"], dtype=bool)
    tell(f"{name}: {100 * correct.mean():.2f} in {time.perf_counter() - begin:.0f} s")
    cache.mkdir(parents=True, exist_ok=True)
    (cache / ".gitignore").write_text("*\n", encoding="utf-8")
    bits = base64.b64encode(np.packbits(correct).tobytes()).decode()
    with atomic_path(place) as part:
        part.write_text(json.dumps({"name": name, "correct": bits}), encoding="utf-8")
    return correct


def _read(place: Path, n_documents: int) -> NDArray[np.bool_] | None:
    try:
        bits = base64.b64decode(json.loads(place.read_text(encoding="utf-8"))["correct"])
        packed = np.frombuffer(bits, dtype=np.uint8)
        return np.unpackbits(packed, count=n_documents).astype(bool)
    except (OSError, ValueError, KeyError, TypeError):
        return None  # Not there, or damaged: it will be scored again.


def _digest(key: dict[str, Any]) -> str:
    text = json.dumps(key, default=str, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def by_method(decisions: Sequence[Decisions], method: str) -> Decisions:
    """Return the decisions of one method with all seeds, one after another."""
    own = [one for one in decisions if one.method == method]
    return Decisions(
        method, -1, np.concatenate([one.documents for one in own]),
        np.concatenate([one.correct for one in own]),
    )  # fmt: skip
