"""Slow, obvious twins of the core's fast paths: plain loops, straight from the definitions."""

from __future__ import annotations

import math

import numpy as np


def orthogonal_matching_pursuit(vector, atoms, n_active):
    """Pick the atom most correlated with the residual, refit all picked by least squares."""
    codes = np.zeros(len(atoms))
    picked = []
    residual = vector.astype(np.float64)
    for _ in range(n_active):
        correlations = np.abs(atoms @ residual)
        correlations[picked] = -1
        best = int(correlations.argmax())
        if correlations[best] <= 1e-6 * np.abs(atoms @ vector).max():
            break
        picked.append(best)
        solution = np.linalg.lstsq(atoms[picked].T, vector, rcond=None)[0]
        residual = vector - atoms[picked].T @ solution
        codes[picked] = solution
    return codes


def ksvd_sweep(vectors, atoms, codes):
    """One approximate K-SVD sweep with the error matrix formed anew for every atom."""
    atoms, codes = atoms.astype(np.float64).copy(), codes.astype(np.float64).copy()
    for j in range(len(atoms)):
        users = np.flatnonzero(codes[:, j])
        if not len(users):
            continue
        others = codes[users].copy()
        others[:, j] = 0
        errors = vectors[users] - others @ atoms
        direction = errors.T @ codes[users, j]
        if not np.linalg.norm(direction):
            continue
        atoms[j] = direction / np.linalg.norm(direction)
        codes[users, j] = errors @ atoms[j]
    return atoms, codes


def document_matrix(ids, weights, codes, vectors, counts="raw"):
    """Mean of weighted word-topic vectors, one word after another (Algorithm 1)."""
    n_topics, dim = codes.shape[1], vectors.shape[1]
    total = np.zeros(n_topics * dim)
    length = 0.0
    for word in sorted(set(ids)):
        n = list(ids).count(word)
        factor = 1 + math.log(n) if counts == "log" else n
        length += factor
        word_topic_vector = np.concatenate(
            [codes[word, j] * vectors[word] for j in range(n_topics)]
        )
        total += factor * weights[word] * word_topic_vector
    return total / length if length else total


def document_vectors(docs, weights, codes, vectors, components, counts="raw"):
    """Documents as rows, each component removed by its own projection."""
    rows = []
    for ids in docs:
        row = document_matrix(ids, weights, codes, vectors, counts)
        for u in components:
            row = row - u * (u @ row)
        rows.append(row)
    return np.array(rows)


def leading_directions(rows, n_removed):
    """Right singular vectors of the whole document matrix."""
    return np.linalg.svd(rows, full_matrices=False)[2][:n_removed]


def kernel_average(a, b):
    return sum(v @ u for v in a for u in b) / (len(a) * len(b))


def kernel_topical(a, t_a, b, t_b):
    pairs = (
        (v @ u) + (t @ s) for v, t in zip(a, t_a, strict=True) for u, s in zip(b, t_b, strict=True)
    )
    return sum(pairs) / (len(a) * len(b))


def kernel_partition(a, t_a, b, t_b):
    pairs = (
        (v @ u) * (t @ s) for v, t in zip(a, t_a, strict=True) for u, s in zip(b, t_b, strict=True)
    )
    return sum(pairs) / (len(a) * len(b))


def kernel_relaxed_word_mover(a, b):
    return sum(max(v @ u for u in b) for v in a) / len(a)
