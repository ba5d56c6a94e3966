import numpy as np
import pytest

from psif.errors import FormatError, InputError
from psif.explorer import sample
from psif.explorer.sample import read_sample


def write(path, rows):
    np.save(path, np.asarray(rows, dtype=np.float32))
    return path


def test_all_rows_as_unit_vectors(tmp_path):
    found = read_sample(write(tmp_path / "v.npy", [[3, 4], [0, 0]]), 2, 10, 2)
    assert found.ids == ["0", "1"]
    np.testing.assert_allclose(found.rows, [[0.6, 0.8], [0, 0]])
    np.testing.assert_allclose(found.energies, [[0.36, 0.64], [0, 0]], atol=1e-6)
    assert (found.n_total, found.projection) == (2, None)


def test_of_too_many_rows_a_sample_in_order(tmp_path):
    path = write(tmp_path / "v.npy", np.arange(1, 201).reshape(100, 2))
    found = read_sample(path, 2, 10, None)
    again = read_sample(path, 2, 10, None)
    assert (len(found.ids), found.n_total, found.ids) == (10, 100, again.ids)
    numbers = [int(key) for key in found.ids]
    assert numbers == sorted(set(numbers))
    for number, row in zip(numbers, found.rows, strict=True):
        expected = np.array([2 * number + 1, 2 * number + 2], float)
        np.testing.assert_allclose(row, expected / np.linalg.norm(expected), rtol=1e-5)


def test_long_vectors_are_shortened_and_keep_neighbours(tmp_path, monkeypatch):
    monkeypatch.setattr(sample, "_MOST_NUMBERS", 1000)
    monkeypatch.setattr(sample, "_LEAST", 3)
    monkeypatch.setattr(sample, "_SHORT", 4)
    monkeypatch.setattr(sample, "_LEARNED_FROM", 40)
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((60, 3)) @ rng.standard_normal((3, 30))
    found = read_sample(write(tmp_path / "v.npy", rows), 30, 100, None)
    assert found.rows.shape == (60, 4)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    # Three directions made the rows, so four keep every cosine.
    np.testing.assert_allclose(found.rows @ found.rows.T, unit @ unit.T, atol=1e-4)
    np.testing.assert_allclose(found.shorten(rows.astype(np.float32)), found.rows, atol=1e-5)


def test_the_more_documents_the_shorter_their_vectors(tmp_path, monkeypatch):
    monkeypatch.setattr(sample, "_MOST_NUMBERS", 100)
    monkeypatch.setattr(sample, "_LEAST", 2)
    monkeypatch.setattr(sample, "_SHORT", 8)
    monkeypatch.setattr(sample, "_LEARNED_FROM", 10)
    rows = np.random.default_rng(0).standard_normal((60, 20))
    for n_docs, wanted in ((5, 20), (11, 8), (25, 4), (60, 2)):
        path = write(tmp_path / f"{n_docs}.npy", rows[:n_docs])
        assert read_sample(path, 20, 100, None).rows.shape == (n_docs, wanted)


def test_bad_files(tmp_path):
    with pytest.raises(InputError, match="vectors of 2 numbers, but the model makes 5"):
        read_sample(write(tmp_path / "v.npy", [[1, 2]]), 5, 10, None)
    with pytest.raises(InputError, match="there is no vector in it"):
        read_sample(write(tmp_path / "e.npy", np.zeros((0, 2))), 2, 10, None)
    with pytest.raises(FormatError, match="not finite"):
        read_sample(write(tmp_path / "n.npy", [[np.nan, 1]]), 2, 10, None)
    with pytest.raises(InputError, match="no such file"):
        read_sample(tmp_path / "none.npy", 2, 10, None)
