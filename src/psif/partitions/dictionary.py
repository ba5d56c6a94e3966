"""Sparse dictionary learning over word vectors: approximate K-SVD."""

from __future__ import annotations

from typing import Self

import numpy as np

from psif.errors import InputError
from psif.partitions.base import check_sizes
from psif.partitions.coding import sparse_codes
from psif.runtime.blas import inner_product, single_threaded_blas, tall_product
from psif.runtime.norms import unit_rows
from psif.runtime.threads import Workers, ranges
from psif.types import FloatMatrix, FloatVector

# Two atoms this alike (absolute cosine) describe one topic; one of them is replaced.
_SAME_ATOM = 0.99
_WORDS_PER_PIECE = 4096


class Dictionary:
    r"""Topic atoms such that every word vector is a sparse sum of them.

    .. math:: \min_{A, \alpha} \sum_w \Big\| v_w - \sum_{j=1}^K \alpha_{w,j} A_j \Big\|^2
              \quad \text{with} \quad \|\alpha_w\|_0 \le k, \; \|A_j\| = 1

    Alternates batch OMP (all codes) with one sweep over the atoms, each refitted to all the
    words that use it, their coefficients along with it.

    Parameters
    ----------
    n_topics : int
        K, atoms.
    n_active : int or None
        k, the atoms that a word may use; ``None`` is K // 2.
    init : {"svd", "data"}, default="svd"
        Start from the leading right singular vectors of the word vectors (those beyond the
        dimension come from the data), or from word vectors far from one another.
    max_iter : int, default=10
    tol : float, default=1e-3
        Stop when an iteration lowers the loss by less than this share of it.
    random_state : int, default=0
    n_jobs : int or None

    Attributes
    ----------
    atoms_ : ndarray of shape (n_topics, dim)
        Unit norm.
    losses_ : list of float
        Relative reconstruction error ‖V - αA‖ / ‖V‖ after coding, at the start and after each
        iteration; ``atoms_`` are those of the smallest.
    n_replaced_ : int
        Dead or doubled atoms that were replaced.

    References
    ----------
    .. [1] Aharon, Elad, Bruckstein (2006), "K-SVD".
    .. [2] Rubinstein, Zibulevsky, Elad (2008), "Efficient implementation of the K-SVD algorithm
       using batch orthogonal matching pursuit": the approximate atom update.
    """

    def __init__(
        self,
        n_topics: int,
        *,
        n_active: int | None = None,
        init: str = "svd",
        max_iter: int = 10,
        tol: float = 1e-3,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_topics = n_topics
        self.n_active = n_active
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, vectors: FloatMatrix) -> Self:
        """Learn the atoms from word vectors of shape (n_words, dim)."""
        vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        n_active = check_sizes(len(vectors), self.n_topics, self.n_active)
        rng = np.random.default_rng(self.random_state)
        self.losses_: list[float] = []
        self.n_replaced_ = 0
        best = np.inf
        with Workers(self.n_jobs) as workers, single_threaded_blas():
            scale = float(np.linalg.norm(vectors)) or 1.0
            atoms = _start_atoms(vectors, self.n_topics, self.init, rng, self.n_jobs)
            for iteration in range(self.max_iter + 1):
                codes = sparse_codes(vectors, atoms, n_active, workers=workers)
                residual = vectors - tall_product(codes, atoms, n_jobs=self.n_jobs)
                loss = float(np.linalg.norm(residual)) / scale
                self.losses_.append(loss)
                improved = best - loss
                if loss < best:
                    best, self.atoms_ = loss, atoms * _signs(codes)[:, None]
                if improved < self.tol * loss or iteration == self.max_iter:
                    break
                _update_atoms(atoms, codes, residual, workers)
                self.n_replaced_ += _replace_dead(atoms, codes, residual, vectors)
        return self

    def encode(self, vectors: FloatMatrix) -> FloatMatrix:
        """Code words over the learned atoms; they need not be those of ``fit``."""
        n_active = check_sizes(self.n_topics, self.n_topics, self.n_active)
        vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        with Workers(self.n_jobs) as workers, single_threaded_blas():
            return sparse_codes(vectors, self.atoms_, n_active, workers=workers)


def _signs(codes: FloatMatrix) -> FloatVector:
    """Sign of each atom such that its strongest words use it with a positive coefficient.

    An atom and its negative describe the same topic; the cubes let large coefficients decide.
    """
    skew = (codes.astype(np.float64) ** 3).sum(axis=0)
    return np.where(skew < 0, -1, 1).astype(np.float32)


def _start_atoms(
    vectors: FloatMatrix, n_topics: int, init: str, rng: np.random.Generator, n_jobs: int | None
) -> FloatMatrix:
    if init not in ("svd", "data"):
        raise InputError(f"init must be 'svd' or 'data'; got {init!r}.")
    atoms = np.empty((0, vectors.shape[1]), dtype=np.float32)
    if init == "svd":
        # Right singular vectors are eigenvectors of VᵀV, a small dim x dim matrix.
        values, directions = np.linalg.eigh(inner_product(vectors, vectors, n_jobs=n_jobs))
        # Directions without any data would be atoms that no word can use.
        n_real = int((values > 1e-10 * max(values[-1], 1e-300)).sum())
        leading = directions[:, ::-1][:, : min(n_topics, n_real)]
        atoms = leading.T.astype(np.float32)
    if len(atoms) < n_topics:
        atoms = np.vstack([atoms, _spread_words(vectors, atoms, n_topics - len(atoms), rng)])
    return np.ascontiguousarray(atoms)


def _spread_words(
    vectors: FloatMatrix, atoms: FloatMatrix, n_wanted: int, rng: np.random.Generator
) -> FloatMatrix:
    """Pick unit-normed word vectors, each likely to be far from the atoms so far (k-means++)."""
    unit = unit_rows(vectors)
    usable = unit.any(axis=1)
    covered = np.abs(unit @ atoms.T).max(axis=1, initial=0.0)
    chosen = np.empty((n_wanted, vectors.shape[1]), dtype=np.float32)
    for row in chosen:
        distance = np.where(usable, np.clip(1 - covered, 1e-9, None), 0).astype(np.float64)
        if distance.any():
            row[:] = unit[rng.choice(len(unit), p=distance / distance.sum())]
        else:
            row[:] = rng.standard_normal(len(row))
        row /= np.linalg.norm(row)
        covered = np.maximum(covered, np.abs(unit @ row))
    return chosen


def _update_atoms(
    atoms: FloatMatrix, codes: FloatMatrix, residual: FloatMatrix, workers: Workers
) -> None:
    r"""One sweep of approximate K-SVD, in place; every word that uses an atom takes part.

    .. math:: A_j \leftarrow \frac{\sum_w \gamma_w e_w}{\|\cdot\|}
              = \frac{\sum_w \gamma_w r_w + \|\gamma\|^2 A_j}{\|\cdot\|}, \qquad
              \gamma_w \leftarrow \langle e_w, A_j \rangle
    """
    from psif.compiled.atoms import gather_direction, refit_coefficients

    pieces = ranges(len(residual), _WORDS_PER_PIECE)
    columns = np.ascontiguousarray(codes.T)  # one contiguous row an atom
    for atom, gamma in zip(atoms, columns, strict=True):
        energy = float(gamma @ gamma)
        if energy == 0.0:
            continue

        def direction(start: int, stop: int, gamma: FloatVector = gamma) -> FloatVector:
            part = np.zeros(residual.shape[1], dtype=np.float32)
            gather_direction(residual, gamma, start, stop, part)
            return part

        # Summed in the order of the pieces, whatever thread finished first.
        fresh = energy * atom.astype(np.float64) + np.sum(workers.map(direction, pieces), axis=0)
        norm = np.linalg.norm(fresh)
        if norm == 0.0:
            continue
        new_atom = (fresh / norm).astype(np.float32)
        old_atom = atom.copy()

        def refit(
            start: int,
            stop: int,
            gamma: FloatVector = gamma,
            old_atom: FloatVector = old_atom,
            new_atom: FloatVector = new_atom,
        ) -> None:
            refit_coefficients(residual, gamma, old_atom, new_atom, start, stop)

        workers.map(refit, pieces)
        atom[:] = new_atom
    codes[:] = columns.T


def _replace_dead(
    atoms: FloatMatrix, codes: FloatMatrix, residual: FloatMatrix, vectors: FloatMatrix
) -> int:
    """Replace atoms that no word uses, or that double another, by the worst-coded words."""
    alike = np.triu(np.abs(atoms @ atoms.T), k=1) > _SAME_ATOM
    dead = np.flatnonzero(~codes.any(axis=0) | alike.any(axis=0))
    if not len(dead):
        return 0
    errors = np.linalg.norm(residual, axis=1)
    errors[~vectors.any(axis=1)] = -1.0
    worst = np.argsort(-errors, kind="stable")[: len(dead)]
    n_replaced = 0
    for atom, word in zip(dead, worst, strict=False):
        norm = np.linalg.norm(residual[word])
        if errors[word] > 0 and norm > 0:
            atoms[atom] = residual[word] / norm
            n_replaced += 1
    return n_replaced
