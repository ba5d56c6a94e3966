"""Positions of documents on a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from psif.types import FloatMatrix

# t-SNE of this many documents takes seconds; the others are placed beside the nearest of them.
_LANDMARKS = 3_000
_COMPONENTS = 50
_LEARNED_FROM = 8_000
# Fewer documents have no structure that principal components would hide.
_FEW = 100


@dataclass(frozen=True)
class Places:
    """Positions in the unit square, NaN for documents with no known word, and the method."""

    xy: FloatMatrix
    method: str


def lay_out(unit: FloatMatrix, *, seed: int = 0) -> Places:
    """Place documents, given as unit rows, on a plane so that near documents are similar.

    UMAP if it is installed (the extra ``maps``), otherwise principal components and t-SNE.
    """
    known = np.flatnonzero(np.abs(unit).max(axis=1, initial=0) > 0)
    places = np.full((len(unit), 2), np.nan, dtype=np.float32)
    if not len(known):
        return Places(places, "no document has a known word")
    reduced = _principal(unit[known], seed)
    if len(known) <= _FEW or reduced.shape[1] <= 2:
        plane, method = reduced[:, :2], "principal components"
    else:
        umap = _umap()
        plane, method = _by_umap(umap, reduced, seed) if umap else _by_tsne(reduced, seed)
    places[known] = _unit_square(plane)
    return Places(places, method)


def _principal(rows: FloatMatrix, seed: int) -> FloatMatrix:
    from sklearn.decomposition import PCA

    if len(rows) == 1:
        return np.zeros((1, 2), dtype=np.float32)
    some = rows
    if len(rows) > _LEARNED_FROM:
        some = rows[np.random.default_rng(seed).choice(len(rows), _LEARNED_FROM, replace=False)]
    n_components = min(_COMPONENTS, *some.shape)
    learned = PCA(n_components, svd_solver="randomized", random_state=seed).fit(some)
    reduced: FloatMatrix = learned.transform(rows).astype(np.float32)
    if reduced.shape[1] < 2:
        reduced = np.column_stack([reduced, np.zeros(len(reduced), np.float32)])
    return reduced


def _umap() -> Any:
    try:
        import umap
    except ImportError:
        return None
    return umap


def _by_umap(umap: Any, reduced: FloatMatrix, seed: int) -> tuple[FloatMatrix, str]:
    import warnings

    with warnings.catch_warnings():
        # With a seed UMAP uses one thread and warns; the same map every time is worth it.
        warnings.simplefilter("ignore")
        plane = umap.UMAP(metric="cosine", random_state=seed).fit_transform(reduced)
    return np.asarray(plane, dtype=np.float32), "UMAP"


def _by_tsne(reduced: FloatMatrix, seed: int) -> tuple[FloatMatrix, str]:
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    tsne = TSNE(2, init="pca", max_iter=500, random_state=seed, angle=0.7)
    rng = np.random.default_rng(seed)
    n_landmarks = min(_LANDMARKS, len(reduced))
    landmarks = np.sort(rng.choice(len(reduced), n_landmarks, replace=False))
    # Its threads wait by spinning: on a busy machine one thread is three times as fast as two, and
    # one thread gives the same map everywhere.
    with threadpool_limits(1):
        anchors = tsne.fit_transform(reduced[landmarks])
    if n_landmarks == len(reduced):
        return anchors, "principal components, then t-SNE"
    plane = _beside(reduced, reduced[landmarks], anchors, rng)
    plane[landmarks] = anchors
    return (
        plane,
        f"principal components, then t-SNE of {_LANDMARKS:,} documents; others beside them",
    )


def _beside(
    rows: FloatMatrix, landmarks: FloatMatrix, anchors: FloatMatrix, rng: np.random.Generator
) -> FloatMatrix:
    """Place each row between its three nearest landmarks, weighted by nearness."""
    plane = np.empty((len(rows), 2), dtype=np.float32)
    squares = (landmarks**2).sum(axis=1)
    for start in range(0, len(rows), 4_096):
        block = rows[start : start + 4_096]
        far = (block**2).sum(axis=1)[:, None] + squares - 2 * block @ landmarks.T
        near = np.argpartition(far, 3, axis=1)[:, :3]
        distance = np.maximum(np.take_along_axis(far, near, axis=1), 1e-6)
        weights = distance**-2 / (distance**-2).sum(axis=1, keepdims=True)
        plane[start : start + len(block)] = np.einsum("nk,nkc->nc", weights, anchors[near])
    # Slightly apart, so that documents between the same landmarks do not hide each other.
    spread = 0.004 * np.ptp(anchors, axis=0)
    return plane + rng.normal(0, spread, plane.shape).astype(np.float32)


def _unit_square(plane: FloatMatrix) -> FloatMatrix:
    low = plane.min(axis=0)
    width = plane.max(axis=0) - low
    result: FloatMatrix = np.where(width > 0, (plane - low) / np.where(width > 0, width, 1), 0.5)
    return result
