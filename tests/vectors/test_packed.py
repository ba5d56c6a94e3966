from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from psif import FormatError, InputError
from psif.vectors.packed import PackedTable, read_packed, write_packed
from psif.vectors.ready import READY, is_ready, ready_table


def small(n_words=7, dim=5, n_topics=6):
    rng = np.random.default_rng(0)
    codes = np.abs(rng.standard_normal((n_words, n_topics))).astype(np.float32)
    codes[:, :2] = 0
    codes /= np.linalg.norm(codes, axis=1, keepdims=True)
    vectors = rng.standard_normal((n_words, dim)).astype(np.float32)
    vectors[0] = 0
    words = ["the", "größe", "漢", *(f"w{i}" for i in range(n_words - 3))]
    counts = np.arange(n_words, dtype=np.int64)[::-1] * 1000
    atoms = rng.standard_normal((n_topics, dim)).astype(np.float32)
    named = (np.array([[1, -1]] * n_topics), np.ones((n_topics, 2)), np.ones(n_topics) / n_topics)
    return PackedTable(words, vectors, counts, codes, atoms, *named, {"bucket_length": 1.5})


def test_a_table_comes_back_within_half_a_step(tmp_path):
    table = small()
    write_packed(tmp_path / "t.safetensors", table)
    found = read_packed(tmp_path / "t.safetensors")
    assert found.words == table.words
    assert found.facts == {"bucket_length": 1.5}
    np.testing.assert_array_equal(found.counts, table.counts)
    np.testing.assert_array_equal(found.atoms, table.atoms)
    step = np.abs(table.vectors).max(axis=1, keepdims=True) / 127
    assert (np.abs(found.vectors - table.vectors) <= step / 2 + 1e-6).all()
    np.testing.assert_allclose(found.codes, table.codes, atol=0.01)
    np.testing.assert_allclose(np.linalg.norm(found.codes, axis=1), 1, atol=1e-5)


def test_the_same_table_gives_the_same_bytes(tmp_path):
    first, second = (write_packed(tmp_path / f"{i}", small()) for i in range(2))
    assert first == second
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()
    read_packed(tmp_path / "0", first)


def test_changed_and_foreign_files_are_refused(tmp_path):
    path = tmp_path / "t.safetensors"
    digest = write_packed(path, small())
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(FormatError, match="does not match its checksum"):
        read_packed(path, digest)
    path.write_bytes(b"hello")
    with pytest.raises(FormatError, match="not a table of psif"):
        read_packed(path)
    with pytest.raises(FormatError, match="cannot be read"):
        read_packed(tmp_path / "none")
    from safetensors.numpy import save_file

    save_file({"rows": np.zeros((2, 2), dtype=np.int8)}, path)
    with pytest.raises(FormatError, match="not a table of psif, or of another version"):
        read_packed(path)


def test_arrays_that_do_not_fit_are_refused(tmp_path):
    write_packed(tmp_path / "t", replace(small(), words=["a"] * 7))
    with pytest.raises(FormatError, match="do not fit one another"):
        read_packed(tmp_path / "t")


@pytest.mark.parametrize("head", ["[]", "1", '{"format": "psif-table", "version": 1}'])
def test_heads_without_facts_are_refused(tmp_path, head):
    from safetensors.numpy import load, save

    write_packed(tmp_path / "t", small())
    (tmp_path / "t").write_bytes(save(load((tmp_path / "t").read_bytes()), {"psif": head}))
    with pytest.raises(FormatError, match="t is not a table of psif"):
        read_packed(tmp_path / "t")


@pytest.mark.parametrize("name", ["scales", "topic_scores", "atoms"])
@pytest.mark.parametrize("value", [np.inf, np.nan, 3e38])
def test_numbers_that_are_not_finite_are_refused(tmp_path, name, value):
    import json

    from safetensors.numpy import load, save

    write_packed(tmp_path / "t", small())
    data = (tmp_path / "t").read_bytes()
    head = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
    arrays = load(data)
    arrays[name] = arrays[name].copy()
    arrays[name].reshape(-1)[1] = value
    (tmp_path / "t").write_bytes(save(arrays, head))
    if np.isfinite(value) and name != "scales":
        read_packed(tmp_path / "t")
    else:
        with pytest.raises(FormatError, match="do not fit one another"):
            read_packed(tmp_path / "t")


def test_a_file_of_that_name_comes_first(tmp_path, monkeypatch):
    assert is_ready("english")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "english").mkdir()
    assert not is_ready("english")
    with pytest.raises(InputError, match="no table is called 'klingon'"):
        ready_table("klingon")


def test_the_table_inside_the_package_is_whole():
    for name in READY:
        table = ready_table(name)
        assert len(table.words) == len(table.vectors) >= 50_000
        assert table.vectors.shape[1] == 256
        assert np.isfinite(table.vectors).all()
