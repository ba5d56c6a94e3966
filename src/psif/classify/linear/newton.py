r"""Newton's method for many regularised linear classifiers that share their features.

Column j minimises, over the documents its mask lets in,

.. math:: \tfrac12 \|w_j\|^2 + C_j \sum_i m_{ij}\, \ell(y_{ij}, x_i \cdot w_j),

the objective of scikit-learn's ``LinearSVC`` (squared hinge) and of ``LogisticRegression`` with
``solver="liblinear"``. Masks make cross-validation folds columns like any others. The method is
that of Chapelle (2007), "Training a support vector machine in the primal": the objective is
quadratic, piecewise or nearly, and a few Newton steps, each solved by conjugate gradients over
w, end at its minimum. Whatever the form of the unknowns, lengths and angles are those of w.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from psif.classify.linear.losses import Array, Loss
from psif.classify.linear.primal_dual import Form

# Newton steps at most, gradient steps in one, halvings of one, and the fall one must bring.
_STEPS = 100
_INNER_STEPS = 200
_HALVINGS = 30
_ARMIJO = 1e-4
# A Newton system is solved to this fraction of its gradient; more would be lost on a model that
# holds only nearby.
_FORCING = 0.1
# Arrays are narrowed to the unfinished columns when fewer than this share of them remain.
_NARROW = 0.75


class Solution(NamedTuple):
    """Unknowns and decision values of every column, and the work they took."""

    unknowns: Array
    scores: Array
    n_steps: int
    n_products: int


def solve(
    form: Form,
    targets: Array,
    masks: Array,
    C: Array,
    loss: Loss,
    *,
    tol: float = 1e-4,
    start: Array | None = None,
) -> Solution:
    """Fit every column.

    Parameters
    ----------
    form : Form
    targets : ndarray of shape (n_docs, m)
        Values ±1 in the floating type to compute in.
    masks : ndarray of shape (n_docs, m)
        1 where a document takes part, 0 where it is held out.
    C : ndarray of shape (m,)
    loss : Loss
    tol : float
        Stop when the objective is certainly within this fraction of its minimum. Divided by C
        it is (1/C)-strongly convex, so it exceeds the minimum by at most C ‖gradient‖² / 2.
    start : ndarray or None
        Unknowns to begin from, for example those of a smaller C.
    """
    dtype, m = targets.dtype, targets.shape[1]
    every = _Columns(form, loss, targets, masks, (1.0 / C).astype(dtype))
    if start is None:
        unknowns, scores = np.zeros((form.size, m), dtype=dtype), np.zeros_like(targets)
    else:
        unknowns = start.astype(dtype, copy=True)
        scores = form.scores(unknowns)
    live, n_products, n_steps = np.arange(m), m, 0
    for n_steps in range(1, _STEPS + 1):  # noqa: B007
        columns = every.take(live)
        gradient = columns.gradient(unknowns[:, live], scores[:, live])
        n_products += len(live)
        goal = np.sqrt(2 * tol * columns.ridge * gradient.objective)
        moving = gradient.norms > goal
        if not moving.any():
            break
        if not moving.all():
            live, goal = live[moving], goal[moving]
            columns, gradient = every.take(live), gradient.take(moving)
        floor = np.maximum(_FORCING * gradient.norms, 0.5 * goal)
        move, move_scores, products = _newton_step(columns, gradient, floor)
        n_products += products
        step = columns.search(unknowns[:, live], scores[:, live], move, move_scores, gradient)
        unknowns[:, live] += step * move
        scores[:, live] += step * move_scores
    return Solution(unknowns, scores, n_steps, n_products)


class _Gradient(NamedTuple):
    """What is known of the objective at a point.

    The direction downhill, its decision values, its length; slope and curvature of the loss at
    each document; ‖w‖² and the objective.
    """

    descent: Array
    scores: Array
    norms: Array
    slope: Array
    curvature: Array
    square: Array
    objective: Array

    def take(self, chosen: Array) -> _Gradient:
        return _Gradient(*(values[..., chosen] for values in self))


class _Columns(NamedTuple):
    """Some of the classifiers. Objectives are divided by C: ridge = 1 / C."""

    form: Form
    loss: Loss
    targets: Array
    masks: Array
    ridge: Array

    def take(self, chosen: Array) -> _Columns:
        if len(chosen) == len(self.ridge):
            return self
        return self._replace(
            targets=self.targets[:, chosen], masks=self.masks[:, chosen], ridge=self.ridge[chosen]
        )

    def gradient(self, unknowns: Array, scores: Array) -> _Gradient:
        slope, curvature = self.loss.bend(self.targets, scores)
        slope *= self.masks
        curvature *= self.masks
        descent = -(self.ridge * unknowns + self.form.pull(slope))
        images = self.form.scores(descent)
        squares = self.form.dot(descent, descent, images)
        square = self.form.dot(unknowns, unknowns, scores)
        objective = 0.5 * self.ridge * square + self._losses(scores)
        norms = np.sqrt(np.maximum(squares, 0))
        return _Gradient(descent, images, norms, slope, curvature, square, objective)

    def search(
        self,
        unknowns: Array,
        scores: Array,
        move: Array,
        move_scores: Array,
        here: _Gradient,
    ) -> Array:
        """Share of the move that lets each objective fall enough: all of it, half, a quarter."""
        cross = self.form.dot(unknowns, move, move_scores)
        length = self.form.dot(move, move, move_scores)
        descent = self.ridge * cross + np.einsum("ij,ij->j", here.slope, move_scores)
        # Near the minimum the fall is below what the sums can show.
        slack = 10 * np.finfo(scores.dtype).eps * here.objective
        step = np.ones_like(self.ridge)
        for _ in range(_HALVINGS):
            penalty = here.square + 2 * step * cross + step**2 * length
            reached = 0.5 * self.ridge * penalty + self._losses(scores + step * move_scores)
            poor = reached > here.objective + _ARMIJO * step * descent + slack
            if not poor.any():
                break
            step[poor] /= 2
        return step

    def _losses(self, scores: Array) -> Array:
        total: Array = np.einsum("ij,ij->j", self.masks, self.loss.value(self.targets, scores))
        return total


def _newton_step(columns: _Columns, gradient: _Gradient, floor: Array) -> tuple[Array, Array, int]:
    """Solve (ridge I + Xᵀ H X) v = descent for each column by preconditioned conjugate gradients.

    The decision values of every vector are carried along, so an iteration costs one product with
    the Gram matrix, or two with the features.
    """
    form, curvature, ridge = columns.form, gradient.curvature, columns.ridge
    residual = gradient.descent
    first = form.precondition(residual, ridge, curvature, gradient.scores)
    direction, direction_scores, energy = first.vectors, first.scores, first.energy
    move, move_scores = np.zeros_like(direction), np.zeros_like(direction_scores)
    goal, live, products = np.square(floor), np.arange(len(floor)), 0
    moving = first.square > goal
    for _ in range(_INNER_STEPS):
        if not moving.any():
            break
        if moving.mean() < _NARROW:
            live, goal, energy, ridge = live[moving], goal[moving], energy[moving], ridge[moving]
            residual, curvature = residual[:, moving], curvature[:, moving]
            direction, direction_scores = direction[:, moving], direction_scores[:, moving]
            moving = moving[moving]
        image = ridge * direction + form.pull(curvature * direction_scores)
        bend = form.dot(image, direction, direction_scores)
        step = np.where(moving & (bend > 0), energy / np.where(bend > 0, bend, 1), 0)
        move[:, live] += step * direction
        move_scores[:, live] += step * direction_scores
        # Not in place: a form without a preconditioner returns the residual as the direction.
        residual = residual - step * image
        turned = form.precondition(residual, ridge, curvature)
        products += len(live)
        moving &= turned.square > goal
        turn = np.where(moving, turned.energy / np.where(energy > 0, energy, 1), 0)
        direction = turned.vectors + turn * direction
        direction_scores = turned.scores + turn * direction_scores
        energy = turned.energy
    return move, move_scores, products
