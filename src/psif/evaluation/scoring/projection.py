r"""Learn relatedness and entailment of pairs from their vectors.

After Wieting et al. (2015) and Arora et al. (2017), as the paper follows them: a learned linear
projection W, the features :math:`u \odot v` and :math:`|u - v|` of the projected pair, and a
softmax over classes, or over the scores 1 … 5, trained against the two scores nearest the given
one (Tai et al. 2015).

W has 2,400 output dimensions, as in the paper. The paper leaves the rest open; our choices: vectors
are first projected on their leading 300 directions, W starts at random and decays to its start,
there is no hidden layer, and the number of passes is chosen on the development pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from psif.classify.linear.losses import Array

MOST_DIMS = 300
WIDTH = 2400
_PASSES = 40
_PATIENCE = 8
_BATCH = 64
# The better of 1e-3 and 3e-4 on the development pairs of SICK.
_RATE = 3e-4
_DECAY = 1e-4


class VectorPairs(NamedTuple):
    """Vectors of both sides."""

    left: Any
    right: Any


def reduce_pairs(train: VectorPairs, *others: VectorPairs) -> list[VectorPairs]:
    """Project all pairs on the leading directions of the training pairs, scaled to unit variance.

    With no more directions than the vectors have this is a rotation: nothing is lost.
    """
    together = _stack(train)
    if together.shape[1] <= MOST_DIMS:
        axes: Any = np.linalg.eigh(np.asarray(_dense(together.T @ together), np.float64))[1]
    else:
        from sklearn.decomposition import TruncatedSVD

        axes = TruncatedSVD(MOST_DIMS, random_state=0).fit(together).components_.T
    scale = np.sqrt(np.mean(np.square(together @ axes)))
    turned = axes / (scale if scale > 0 else 1.0)
    return [
        VectorPairs(*(np.asarray(side @ turned, dtype=np.float32) for side in pairs))
        for pairs in (train, *others)
    ]


def soft_targets(scores: Array, n_levels: int = 5) -> Array:
    """Share the weight of a score such as 3.6 between its neighbours: 0.4 on 3, 0.6 on 4."""
    levels = np.clip(scores, 1, n_levels) - 1
    low = np.minimum(np.floor(levels).astype(int), n_levels - 2)
    rows = np.arange(len(scores))
    targets = np.zeros((len(scores), n_levels))
    targets[rows, low] = 1 - (levels - low)
    targets[rows, low + 1] = levels - low
    return targets


def learn_pairs(
    train: VectorPairs,
    targets: Array,
    dev: VectorPairs,
    dev_score: Callable[[Array], float],
    *,
    random_state: int | None = 0,
) -> Callable[[VectorPairs], Array]:
    """Train, and return the function from pairs to probabilities that did best on ``dev``."""
    from threadpoolctl import threadpool_limits

    # The products are small: on a busy machine threads would mostly wait for each other.
    with threadpool_limits(1):
        best = _train(train, targets, dev, dev_score, np.random.default_rng(random_state))
    return lambda pairs: _probabilities(best, pairs)


def _train(
    train: VectorPairs,
    targets: Array,
    dev: VectorPairs,
    dev_score: Callable[[Array], float],
    rng: np.random.Generator,
) -> dict[str, Array]:
    dim, n_classes, dtype = train.left.shape[1], targets.shape[1], train.left.dtype
    # Of about the lengths that the vectors have.
    start = (rng.normal(size=(dim, WIDTH)) / np.sqrt(WIDTH)).astype(dtype)
    targets = targets.astype(dtype)
    parameters = {
        "projection": start.copy(),
        "product": np.zeros((WIDTH, n_classes), dtype=dtype),
        "distance": np.zeros((WIDTH, n_classes), dtype=dtype),
        "offset": np.zeros(n_classes, dtype=dtype),
    }
    adam = _Adam(parameters)
    best, best_score, since = _copy(parameters), -np.inf, 0
    for _ in range(_PASSES):
        order = rng.permutation(len(targets))
        for begin in range(0, len(order), _BATCH):
            rows = order[begin : begin + _BATCH]
            batch = VectorPairs(train.left[rows], train.right[rows])
            adam.step(_gradients(parameters, start, batch, targets[rows]))
        score, since = dev_score(_probabilities(parameters, dev)), since + 1
        if score > best_score:
            best, best_score, since = _copy(parameters), score, 0
        if since >= _PATIENCE:
            break
    return best


def _probabilities(parameters: dict[str, Array], pairs: VectorPairs) -> Array:
    u, v = pairs.left @ parameters["projection"], pairs.right @ parameters["projection"]
    logits = (u * v) @ parameters["product"] + np.abs(u - v) @ parameters["distance"]
    logits += parameters["offset"]
    logits -= logits.max(axis=1, keepdims=True)
    shares = np.exp(logits)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _gradients(
    parameters: dict[str, Array], start: Array, pairs: VectorPairs, targets: Array
) -> dict[str, Array]:
    """Of the mean cross-entropy, plus decay: to zero, of the projection to its start."""
    projection = parameters["projection"]
    u, v = pairs.left @ projection, pairs.right @ projection
    error = (_probabilities(parameters, pairs) - targets) / len(targets)
    by_product = error @ parameters["product"].T
    by_distance = (error @ parameters["distance"].T) * np.sign(u - v)
    by_u, by_v = by_product * v + by_distance, by_product * u - by_distance
    return {
        "projection": pairs.left.T @ by_u + pairs.right.T @ by_v + _DECAY * (projection - start),
        "product": (u * v).T @ error + _DECAY * parameters["product"],
        "distance": np.abs(u - v).T @ error + _DECAY * parameters["distance"],
        "offset": error.sum(axis=0),
    }


class _Adam:
    """Adam (Kingma, Ba 2015) with its usual constants."""

    def __init__(self, parameters: dict[str, Array]) -> None:
        self._parameters, self._steps = parameters, 0
        self._mean = {name: np.zeros_like(value) for name, value in parameters.items()}
        self._square = {name: np.zeros_like(value) for name, value in parameters.items()}

    def step(self, gradients: dict[str, Array]) -> None:
        self._steps += 1
        for name, gradient in gradients.items():
            self._mean[name] = 0.9 * self._mean[name] + 0.1 * gradient
            self._square[name] = 0.999 * self._square[name] + 0.001 * np.square(gradient)
            mean = self._mean[name] / (1 - 0.9**self._steps)
            square = self._square[name] / (1 - 0.999**self._steps)
            self._parameters[name] -= _RATE * mean / (np.sqrt(square) + 1e-8)


def _stack(pairs: VectorPairs) -> Any:
    from scipy import sparse

    if sparse.issparse(pairs.left):
        return sparse.vstack(pairs, format="csr")
    return np.vstack(pairs)


def _dense(matrix: Any) -> Any:
    return matrix.toarray() if hasattr(matrix, "toarray") else matrix


def _copy(parameters: dict[str, Any]) -> dict[str, Array]:
    return {name: value.copy() for name, value in parameters.items()}
