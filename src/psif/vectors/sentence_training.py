r"""Train word vectors so that sums of words point where a teacher's sentence vectors point.

Let :math:`s_i = \sum_{w \in i} v_w` be a sentence, :math:`u_i = s_i / \|s_i\|` its direction and
:math:`t_i` the unit vector that the teacher gives it. We raise

.. math:: \sum_i \langle u_i, t_i \rangle

first by a linear map of the words as the teacher sees them alone, which is a ridge regression, then
word by word by stochastic gradient descent (Adam, with one step size per word). Only directions of
sentences count, so the length of a word's vector is free to say how much the word matters: it
takes the place of a frequency weight.

References
----------
.. [1] Reimers, Gurevych (2020), "Making monolingual sentence embeddings multilingual using
   knowledge distillation": a student that learns the vectors of a teacher.
.. [2] Kingma, Ba (2015), "Adam: a method for stochastic optimization".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.runtime.blas import single_threaded_blas
from psif.text.flat import FlatDocs
from psif.types import DoubleVector, FloatMatrix
from psif.vectors.progress import Progress, Steps

_FIRST_DECAY, _SECOND_DECAY = 0.9, 0.99
_TINY = 1e-8
_MAP_RIDGE = 1e-3


@dataclass(frozen=True)
class TrainingOptions:
    """How words are trained; docs/research.md has the evidence for the defaults.

    Attributes
    ----------
    epochs : int
        Passes over the sentences.
    batch : int
        Sentences per step.
    rate : float
        First step of a word, relative to the length of its vector at the start; it falls to 0 in
        a line.
    prior : float
        A word that occurs so often is half its own training and half its start.
    ridge : float
        Penalty of the linear maps, relative to the mean variance of their inputs.
    norm_power : float
        Lengths are raised to this power at the end: people give function words more weight in a
        sentence than the teacher does.
    """

    epochs: int = 4
    batch: int = 512
    rate: float = 0.16
    prior: float = 5.0
    ridge: float = 0.01
    norm_power: float = 0.55


class _Adam:
    """Adam for the rows that a batch uses; the second moment is one number per row.

    A step is relative to the length that a row has at the start: words of all lengths move alike.
    """

    def __init__(self, table: FloatMatrix) -> None:
        self.table = table
        self._lengths = np.linalg.norm(table, axis=1)
        self._first = np.zeros_like(table)
        self._second = np.zeros(len(table), dtype=np.float32)
        self._steps = np.zeros(len(table), dtype=np.float64)

    def step(self, rows: np.ndarray, gradient: FloatMatrix, rate: float) -> None:
        self._steps[rows] += 1
        steps = self._steps[rows]
        first = _FIRST_DECAY * self._first[rows] + (1 - _FIRST_DECAY) * gradient
        squares = np.einsum("ij,ij->i", gradient, gradient)
        second = _SECOND_DECAY * self._second[rows] + (1 - _SECOND_DECAY) * squares
        self._first[rows], self._second[rows] = first, second
        # Both moments start at zero; this takes that out (reference 2, section 3).
        size = np.sqrt(second / (1 - _SECOND_DECAY**steps)) + _TINY
        scale = rate * self._lengths[rows] / ((1 - _FIRST_DECAY**steps) * size)
        self.table[rows] -= scale[:, None].astype(np.float32) * first


def train_words(
    start: FloatMatrix,
    sentences: FlatDocs,
    targets: FloatMatrix,
    options: TrainingOptions | None = None,
    *,
    random_state: int = 0,
    progress: Progress | None = None,
) -> FloatMatrix:
    """Return the trained table.

    Parameters
    ----------
    start : ndarray of shape (n_words, dim)
    sentences : FlatDocs
        Ids of words, rows of the table.
    targets : ndarray of shape (n_sentences, dim)
        Unit vectors.
    options : TrainingOptions or None
    random_state : int
        Decides the order of the sentences.
    progress : callable or None
        Called as ``progress(done, total)``, in batches.
    """
    options = TrainingOptions() if options is None else options
    table = np.array(start, dtype=np.float32)
    rows = np.flatnonzero(sentences.lengths > 0)
    if not len(rows):
        return table
    adam, rng = _Adam(table), np.random.default_rng(random_state)
    n_batches = -(-len(rows) // options.batch)
    steps = Steps(progress, options.epochs * n_batches)
    with single_threaded_blas():
        for _ in range(options.epochs):
            order = rows[rng.permutation(len(rows))]
            for chosen in np.array_split(order, n_batches):
                batch = sentences.take(chosen)
                used, places = np.unique(batch.ids, return_inverse=True)
                gradient = _gradient(table[used], places, batch, targets[chosen])
                adam.step(used, gradient, options.rate * (1 - steps.done / steps.total))
                steps.advance()
    return table


def _gradient(
    vectors: FloatMatrix, places: np.ndarray, batch: FlatDocs, targets: FloatMatrix
) -> FloatMatrix:
    r"""Return the gradient of :math:`-\sum_i \langle u_i, t_i \rangle` for the words of a batch.

    A word of sentence i gets :math:`-(t_i - \langle t_i, u_i \rangle u_i) / \|s_i\|`.
    """
    words = _counts(places, batch, len(vectors))
    sums = words @ vectors
    lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), np.float32(_TINY))
    directions = sums / lengths
    along = np.einsum("ij,ij->i", targets, directions)[:, None]
    result: FloatMatrix = words.T @ ((along * directions - targets) / lengths)
    return result


def _counts(ids: np.ndarray, docs: FlatDocs, n_words: int):  # type: ignore[no-untyped-def]
    """Return documents by words as a sparse matrix of counts."""
    from scipy.sparse import csr_matrix

    ones = np.ones(len(ids), dtype=np.float32)
    return csr_matrix((ones, ids, docs.offsets), shape=(len(docs), n_words))


def map_words(
    vectors: FloatMatrix, sentences: FlatDocs, targets: FloatMatrix, ridge: float
) -> FloatMatrix:
    r"""Map word vectors linearly so that their sums predict the targets.

    .. math:: A = \arg\min \sum_i \| u_i A - t_i \|^2 + \rho \|A\|^2
    """
    from psif.runtime.norms import unit_rows

    sums = unit_rows(_counts(sentences.ids, sentences, len(vectors)) @ vectors)
    with single_threaded_blas():
        result: FloatMatrix = (vectors @ _ridge(sums, targets, ridge)).astype(np.float32)
    return result


def _ridge(inputs: np.ndarray, outputs: np.ndarray, ridge: float) -> np.ndarray:
    gram = inputs.T @ inputs
    # Without inputs the map is zero, whatever the penalty.
    size = float(np.trace(gram)) / len(gram) or 1.0
    penalty = np.eye(len(gram)) * (ridge * size)
    solved: np.ndarray = np.linalg.solve(gram + penalty, inputs.T @ outputs)
    return solved


def raise_norms(vectors: FloatMatrix, power: float) -> FloatMatrix:
    """Raise the length of each vector to a power; zero rows stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scale = np.where(lengths > 0, lengths, 1) ** np.float32(power - 1)
    result: FloatMatrix = vectors * scale
    return result


def fill_rare_words(
    start: FloatMatrix, trained: FloatMatrix, counts: DoubleVector, prior: float
) -> FloatMatrix:
    r"""Mix what was trained with what the teacher says of the word alone, by evidence.

    .. math:: v_w = \frac{n_w z_w + k \, x_w A}{n_w + k}

    x are the start vectors, z the trained ones, n the counts. The map A is the ridge regression
    of trained on start vectors over the words that were seen, weighted by their evidence
    :math:`n_w / (n_w + k)`. So a word that no sentence had is moved as its like were.
    """
    evidence = (counts / (counts + prior))[:, None]
    x, z = start.astype(np.float64), trained.astype(np.float64)
    root = np.sqrt(evidence)
    with single_threaded_blas():
        # Of the change: a direction that no evidence tells about stays as it is.
        mapped = x + x @ _ridge(x * root, (z - x) * root, _MAP_RIDGE)
    mixed: FloatMatrix = (evidence * z + (1 - evidence) * mapped).astype(np.float32)
    return mixed
