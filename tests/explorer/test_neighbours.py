import numpy as np
import pytest

from psif.explorer import neighbours
from psif.explorer.neighbours import nearest_rows


def naive(rows, number):
    """Every pair, in plain loops."""
    found = []
    for i, row in enumerate(rows):
        far = [(float(((row - other) ** 2).sum()), j) for j, other in enumerate(rows) if j != i]
        found.append([j for _, j in sorted(far)[:number]])
    return found


def test_few_rows_are_compared_with_all_others():
    rows = np.random.default_rng(0).standard_normal((60, 5)).astype(np.float32)
    ids, far = nearest_rows(rows, 7)
    assert ids.tolist() == naive(rows.astype(float), 7)
    np.testing.assert_allclose(far[3, 0], np.linalg.norm(rows[3] - rows[ids[3, 0]]), rtol=1e-4)


@pytest.mark.parametrize("dim", [2, 20, 50])
def test_most_neighbours_of_many_rows_are_found(dim):
    rng = np.random.default_rng(dim)
    centres = rng.standard_normal((40, dim))
    rows = centres[rng.integers(0, 40, 4000)] + 0.4 * rng.standard_normal((4000, dim))
    rows = rows.astype(np.float32)
    ids, far = nearest_rows(rows, 10)
    exact, _ = neighbours._all_pairs(rows, 10)
    recall = np.mean([len(np.intersect1d(a, b)) / 10 for a, b in zip(ids, exact, strict=True)])
    assert recall > 0.95
    assert (np.diff(far, axis=1) >= 0).all()
    assert not (ids == np.arange(4000)[:, None]).any()
    assert all(len(set(row)) == 10 for row in ids.tolist())
    np.testing.assert_allclose(
        far[:, 3], np.linalg.norm(rows - rows[ids[:, 3]], axis=1), rtol=1e-3, atol=1e-4
    )


def test_threads_change_nothing():
    rows = np.random.default_rng(0).standard_normal((5000, 8)).astype(np.float32)
    one, three = nearest_rows(rows, 5, n_jobs=1), nearest_rows(rows, 5, n_jobs=3)
    np.testing.assert_array_equal(one[0], three[0])
    np.testing.assert_array_equal(one[1], three[1])
