"""One self-contained HTML page with a labelled map of documents."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from psif.types import FloatMatrix

if TYPE_CHECKING:
    from psif.model import PSIF

# t-SNE of this many takes a few seconds; a map of more says no more.
_MOST_POINTS = 3000
_NEIGHBOURS = 6


def page(model: PSIF, docs: dict[str, str]) -> str:
    """Return the page: every dot a document, coloured and labelled by its strongest topic."""
    names, texts = list(docs), list(docs.values())
    vectors = model.embed(model.encode(texts))
    lengths = np.linalg.norm(vectors, axis=1)
    known = np.flatnonzero(lengths > 0)
    if len(known) > _MOST_POINTS:
        known = np.sort(np.random.default_rng(0).choice(known, _MOST_POINTS, replace=False))
    unit = vectors[known] / lengths[known, None]
    shares = model.document_topics([texts[i] for i in known])
    places = _map(unit)
    data = {
        "total": len(names),
        "topics": [{"words": t.words, "share": round(t.share, 4)} for t in model.topics(6)],
        "docs": [
            {
                "name": names[row],
                "line": texts[row].strip().splitlines()[0][:120],
                "x": round(float(places[i, 0]), 4),
                "y": round(float(places[i, 1]), 4),
                "topic": int(shares[i].argmax()),
                "near": near,
            }
            for i, (row, near) in enumerate(zip(known.tolist(), _nearest(unit), strict=True))
        ],
    }
    template = files("psif.cli").joinpath("demo_page.html").read_text(encoding="utf-8")
    # "</" would end the script element from inside a string.
    return template.replace(
        "/*DATA*/null", json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    )


def _map(unit: FloatMatrix) -> FloatMatrix:
    """Return places in the unit square: principal components, then t-SNE."""
    from sklearn.decomposition import PCA
    from sklearn.manifold import TSNE

    n_components = min(30, *unit.shape)
    reduced = PCA(n_components, random_state=0).fit_transform(unit)
    if len(unit) > 60 and n_components > 2:
        reduced = TSNE(2, init="pca", max_iter=500, random_state=0, n_jobs=-1).fit_transform(
            reduced
        )
    places = reduced[:, :2] - reduced[:, :2].min(axis=0)
    scaled: FloatMatrix = places / places.max(axis=0)
    return scaled


def _nearest(unit: FloatMatrix) -> list[Any]:
    scores = unit @ unit.T
    np.fill_diagonal(scores, -2)
    best = np.argpartition(-scores, _NEIGHBOURS, axis=1)[:, :_NEIGHBOURS]
    order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1)
    nearest: list[Any] = np.take_along_axis(best, order, axis=1).tolist()
    return nearest
