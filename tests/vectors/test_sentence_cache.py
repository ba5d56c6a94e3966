from __future__ import annotations

import errno

import numpy as np
import pytest

from psif import InputError, PsifError, PsifWarning
from psif.vectors import sentence_cache
from psif.vectors.sentence_cache import SentenceCache, encode_sentences


class Counting:
    """An encoder that says what it was asked for."""

    identity, dim = "counting", 3

    def __init__(self):
        self.seen: list[str] = []

    def encode(self, texts, *, advance=None):
        self.seen += texts
        if advance is not None:
            advance(len(texts))
        return np.array([[len(text), 1, 2] for text in texts], dtype=np.float32)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(sentence_cache, "CHUNK", 2)


SENTENCES = ["a", "bb", "ccc", "dddd", "eeeee"]


def test_a_cache_changes_no_number(tmp_path):
    without = encode_sentences(Counting(), SENTENCES)
    np.testing.assert_array_equal(encode_sentences(Counting(), SENTENCES, tmp_path), without)
    again = Counting()
    np.testing.assert_array_equal(encode_sentences(again, SENTENCES, tmp_path), without)
    assert again.seen == []
    np.testing.assert_allclose(np.linalg.norm(without, axis=1), 1, atol=1e-3)


def test_a_run_that_was_stopped_goes_on_with_the_rest(tmp_path):
    class Stopped(Counting):
        def encode(self, texts, *, advance=None):
            if "ccc" in texts:
                raise KeyboardInterrupt
            return super().encode(texts, advance=advance)

    with pytest.raises(KeyboardInterrupt):
        encode_sentences(Stopped(), SENTENCES, tmp_path)
    later, calls = Counting(), []
    encode_sentences(later, SENTENCES, tmp_path, progress=lambda *call: calls.append(call))
    assert later.seen == SENTENCES[2:]
    assert calls[0] == (2, 5)
    assert calls[-1] == (5, 5)


def test_other_sentences_and_other_encoders_do_not_meet_old_vectors(tmp_path):
    encode_sentences(Counting(), SENTENCES, tmp_path)
    changed = Counting()
    encode_sentences(changed, ["a", "BB", *SENTENCES[2:]], tmp_path)
    assert changed.seen == ["a", "BB"]
    other = Counting()
    other.identity = "other"
    encode_sentences(other, SENTENCES, tmp_path)
    assert other.seen == SENTENCES


@pytest.mark.parametrize("kind", ["cut", "flip", "empty"])
def test_a_damaged_chunk_is_encoded_again(tmp_path, kind):
    expected = encode_sentences(Counting(), SENTENCES, tmp_path)
    path = SentenceCache(tmp_path, "counting").path(SENTENCES[:2])
    data = bytearray(path.read_bytes())
    if kind == "flip":
        data[150] ^= 1
    path.write_bytes(data[:-4] if kind == "cut" else data if kind == "flip" else b"")
    encoder = Counting()
    with pytest.warns(PsifWarning, match="is damaged; its sentences are encoded again"):
        found = encode_sentences(encoder, SENTENCES, tmp_path)
    assert encoder.seen == ["a", "bb"]
    np.testing.assert_array_equal(found, expected)


def test_a_full_disk_is_told_and_keeps_what_is_there(tmp_path, monkeypatch):
    encode_sentences(Counting(), SENTENCES[:2], tmp_path)

    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(PsifError, match=r"No space left on device.*make room and run the same"):
        encode_sentences(Counting(), SENTENCES, tmp_path)
    monkeypatch.undo()
    monkeypatch.setattr(sentence_cache, "CHUNK", 2)
    assert [path.suffix for path in tmp_path.iterdir()] == [".npy"]


def test_a_cache_that_cannot_be_a_folder_is_told(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InputError, match="cannot be made"):
        encode_sentences(Counting(), SENTENCES, file / "cache")
