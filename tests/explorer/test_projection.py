import numpy as np
import pytest

from psif.explorer.projection import lay_out


def clusters(n=150, dim=6, seed=0, n_clusters=3, spread=0.05):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % n_clusters
    centres = np.linalg.qr(rng.standard_normal((dim, dim)))[0][:n_clusters]
    rows = centres[labels] + spread * rng.standard_normal((n, dim))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32), labels


def share_beside_own(xy, labels):
    far = ((xy[:, None] - xy[None]) ** 2).sum(axis=2)
    np.fill_diagonal(far, np.inf)
    return (labels[far.argmin(axis=1)] == labels).mean()


@pytest.mark.parametrize("n", [150, 3000])
def test_similar_documents_are_close(n):
    """Below and above the number at which neighbours become approximate."""
    rows, labels = clusters(n, dim=30, n_clusters=12)
    places = lay_out(rows)
    assert places.xy.min() >= 0
    assert places.xy.max() <= 1
    assert share_beside_own(places.xy, labels) > 0.97
    assert "15 neighbours per document" in places.method
    # More of the classes than two principal components can keep apart.
    two = lay_out(rows[:, :2] + 1e-3).xy
    assert share_beside_own(two, labels) < 0.9


def test_the_same_map_for_any_number_of_threads():
    rows, _ = clusters(2500, dim=20)
    first = lay_out(rows, n_jobs=1)
    np.testing.assert_array_equal(first.xy, lay_out(rows, n_jobs=3).xy)
    np.testing.assert_array_equal(first.xy, lay_out(rows).xy)


def test_progress_rises_to_the_end():
    told = []
    lay_out(clusters(2500, dim=20)[0], progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    assert len(told) > 20


def test_few_and_empty_documents():
    rows, _ = clusters(5)
    rows[2] = 0
    places = lay_out(rows)
    assert places.method == "principal components"
    assert np.isnan(places.xy).all(axis=1).tolist() == [False, False, True, False, False]
    assert lay_out(rows[:1]).xy.tolist() == [[0.5, 0.5]]
    assert "no document" in lay_out(np.zeros((2, 3), np.float32)).method
    # One dimension still makes a map.
    assert lay_out(np.array([[1], [-1]], np.float32)).xy.shape == (2, 2)


@pytest.mark.parametrize("n", [150, 2500])
def test_documents_that_are_all_alike(n):
    rows = np.ones((n, 6), np.float32) / np.float32(np.sqrt(6))
    xy = lay_out(rows).xy
    assert np.isfinite(xy).all()
    # Twins do not hide each other.
    assert len(np.unique(xy, axis=0)) > n / 2
