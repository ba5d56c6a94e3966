"""Choose loss and C on held-out documents, then fit on all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from psif.classify.linear.losses import Array, Loss, find_loss
from psif.classify.linear.newton import solve
from psif.classify.linear.primal_dual import Form, choose_form

Split: TypeAlias = tuple[Array, Array]
"""Rows to learn from and rows to choose by."""

# Classifiers solved together: enough for fast matrix products, few enough for bounded memory.
_MOST_COLUMNS = 512
# While choosing C, solutions may be so many times further from the minimum.
_ROUGH = 30
# Larger values of C are not tried once the score is this share below the best.
_FALL = 0.005


class LinearModel(NamedTuple):
    """Fitted classifiers, a column each.

    Attributes
    ----------
    weights : ndarray of shape (n_features, m)
    intercepts : ndarray of shape (m,)
    loss : str
    C : float
        The chosen ones.
    held_out : dict of float to list of float
        Score on each split, of each C that was tried with this loss.
    decided : ndarray of shape (n_docs, m) or None
        Decision values of the chosen loss and C, each by the classifiers of a split that held
        the document out; NaN for documents that no split held out. None if nothing was chosen.
    """

    weights: Array
    intercepts: Array
    loss: str
    C: float
    held_out: dict[float, list[float]]
    decided: Array | None = None

    def decide(self, features: Any) -> Array:
        """Decision values, (n_docs, m)."""
        return np.asarray(features @ self.weights + self.intercepts)


class _Problem(NamedTuple):
    """What all classifiers of a task share."""

    form: Form
    loss: Loss

    def fit(
        self, signs: Array, masks: Array, C: Array, tol: float, start: Array | None
    ) -> tuple[Array, Array]:
        """Unknowns and decision values of all columns, some hundreds at a time."""
        unknowns = np.empty((self.form.size, signs.shape[1]), dtype=signs.dtype)
        scores = np.empty_like(signs)
        for begin in range(0, signs.shape[1], _MOST_COLUMNS):
            part = slice(begin, begin + _MOST_COLUMNS)
            solution = solve(
                self.form,
                signs[:, part],
                masks[:, part],
                C[part],
                self.loss,
                tol=tol,
                start=None if start is None else start[:, part],
            )
            unknowns[:, part], scores[:, part] = solution.unknowns, solution.scores
        return unknowns, scores


def fit_linear(
    features: Any,
    targets: Array,
    *,
    losses: Sequence[str],
    grid: Sequence[float],
    splits: Sequence[Split] = (),
    score: Callable[[Array, Array], float] | None = None,
    final_rows: Array | None = None,
    doc_weights: Array | None = None,
    tol: float = 1e-3,
    fall: float = _FALL,
) -> LinearModel:
    """Fit one-against-the-rest classifiers with the loss and C that do best on the splits.

    Parameters
    ----------
    features : ndarray, CSR matrix or features with a form, of shape (n_docs, n_features)
        float32 or float64: computation is in the same type. See
        :class:`psif.classify.linear.primal_dual.HasForm`.
    targets : ndarray of bool, shape (n_docs, m)
        One column per class; one column for two classes.
    losses : sequence of {"squared_hinge", "squares", "logistic"}
        That of ``LinearSVC``, of ``Ridge`` with targets ±1, of
        ``LogisticRegression(solver="liblinear")``. The first of equals is taken.
    grid : sequence of float
        Values of C, tried from the smallest. With one loss and one value nothing is chosen.
    splits : sequence of (train_rows, held_out_rows)
    score : callable
        ``score(targets, decision_values)`` of held-out rows; the larger the better. The mean
        over splits decides, and the smallest C among equals.
    final_rows : ndarray of int, optional
        The documents of the last fit, by default all.
    doc_weights : ndarray of shape (n_docs, 1) or (n_docs, m), optional
        What the loss of each document counts, per column; by default 1.
    tol : float
        Of the objective in the last fit; see :func:`psif.classify.linear.newton.solve`. C is
        chosen on rougher solutions.
    fall : float
        Larger values are not tried once the mean score is this share below the best; 1 tries all.
    """
    found = {name: find_loss(name) for name in losses}
    form = choose_form(features)
    signs = np.where(targets, 1, -1).astype(features.dtype)
    values = sorted(grid)
    counted = np.ones((1, 1)) if doc_weights is None else doc_weights
    counted = counted.astype(features.dtype)
    tried: dict[str, dict[float, list[float]]] = {}
    decided: dict[tuple[str, float], Array] = {}
    loss, best = losses[0], values[0]
    if len(found) * len(values) > 1 and splits and score is not None:
        for name in found:
            task = _Problem(form, found[name])
            choice = _Choice(task, signs, targets, counted, splits, score, _ROUGH * tol)
            tried[name] = {}
            for value, scores, parts in choice.tries(values, fall):
                tried[name][value] = scores
                decided[name, value] = choice.gathered(parts)
        # max keeps the first of equals, which is the most regularised.
        loss, best = max(
            ((name, value) for name in tried for value in tried[name]),
            key=lambda pair: round(float(np.mean(tried[pair[0]][pair[1]])), 9),
        )
    # The last fit is the one that is reported: solve it more exactly.
    masks = np.zeros_like(signs)
    masks[slice(None) if final_rows is None else final_rows] = 1
    masks *= counted
    task = _Problem(form, found[loss])
    unknowns = task.fit(signs, masks, np.full(signs.shape[1], best), tol, None)[0]
    weights = form.weights(unknowns)
    return LinearModel(
        weights[:-1], weights[-1], loss, best, tried.get(loss, {}), decided.get((loss, best))
    )


class _Try(NamedTuple):
    """A value of C, the score of each split, and decision values (n_docs, n_splits, m)."""

    value: float
    scores: list[float]
    parts: Array


class _Choice(NamedTuple):
    """Decision values and scores of values of C on held-out documents."""

    task: _Problem
    signs: Array
    targets: Array
    doc_weights: Array
    splits: Sequence[Split]
    score: Callable[[Array, Array], float]
    tol: float

    def tries(self, grid: Sequence[float], fall: float) -> Iterator[_Try]:
        """Try each value, from the smallest, until scores fall."""
        n_docs, m = self.signs.shape
        masks = np.zeros((n_docs, len(self.splits), m), dtype=self.signs.dtype)
        for number, (train, _) in enumerate(self.splits):
            masks[train, number] = 1
        masks *= self.doc_weights[:, None, :]
        # Every split of every class is a column: they differ in who is masked.
        columns, signs = masks.reshape(n_docs, -1), np.tile(self.signs, len(self.splits))
        means: list[float] = []
        unknowns: Array | None = None
        for value in grid:
            # The minimum for a smaller C is a good place to start from.
            C = np.full(signs.shape[1], value)
            unknowns, decided = self.task.fit(signs, columns, C, self.tol, unknowns)
            found = self._try(value, decided)
            yield found
            means.append(float(np.mean(found.scores)))
            if means[-1] < (1 - fall) * max(means):
                break

    def _try(self, value: float, decided: Array) -> _Try:
        parts = decided.reshape(len(decided), len(self.splits), -1)
        scores = [
            self.score(self.targets[rows], parts[rows, number])
            for number, (_, rows) in enumerate(self.splits)
        ]
        return _Try(value, scores, parts)

    def gathered(self, parts: Array) -> Array:
        """Decision values of each document by the split that held it out."""
        found = np.full((len(parts), parts.shape[2]), np.nan, dtype=parts.dtype)
        for number, (_, rows) in enumerate(self.splits):
            found[rows] = parts[rows, number]
        return found
