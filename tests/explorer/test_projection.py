import sys
import types

import numpy as np
import pytest

from psif.explorer import projection
from psif.explorer.projection import lay_out


@pytest.fixture
def no_umap(monkeypatch):
    monkeypatch.setitem(sys.modules, "umap", None)


def clusters(n=150, dim=6, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3
    rows = np.eye(3, dim)[labels] + 0.05 * rng.standard_normal((n, dim))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32), labels


def share_beside_own(xy, labels):
    far = ((xy[:, None] - xy[None]) ** 2).sum(axis=2)
    np.fill_diagonal(far, np.inf)
    return (labels[far.argmin(axis=1)] == labels).mean()


@pytest.mark.parametrize("landmarks", [1000, 60])
def test_alike_documents_are_near(no_umap, monkeypatch, landmarks):
    monkeypatch.setattr(projection, "_LANDMARKS", landmarks)
    monkeypatch.setattr(projection, "_FEW", 20)
    rows, labels = clusters()
    places = lay_out(rows)
    assert places.xy.min() >= 0
    assert places.xy.max() <= 1
    assert share_beside_own(places.xy, labels) > 0.95
    assert "t-SNE" in places.method
    assert ("others beside" in places.method) == (landmarks == 60)
    np.testing.assert_array_equal(places.xy, lay_out(rows).xy)


def test_umap_is_used_where_installed(monkeypatch):
    class UMAP:
        def __init__(self, metric, random_state):
            pass

        def fit_transform(self, rows):
            return rows[:, :2] * 7

    monkeypatch.setitem(sys.modules, "umap", types.SimpleNamespace(UMAP=UMAP))
    places = lay_out(clusters()[0])
    assert places.method == "UMAP"
    assert (places.xy.min(), places.xy.max()) == (0, 1)


def test_few_and_empty_documents(no_umap):
    rows, _ = clusters(5)
    rows[2] = 0
    places = lay_out(rows)
    assert np.isnan(places.xy).all(axis=1).tolist() == [False, False, True, False, False]
    assert lay_out(rows[:1]).xy.tolist() == [[0.5, 0.5]]
    assert "no document" in lay_out(np.zeros((2, 3), np.float32)).method
    # One dimension still makes a map.
    assert lay_out(np.array([[1], [-1]], np.float32)).xy.shape == (2, 2)
