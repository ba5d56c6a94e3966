from __future__ import annotations

import gzip
import os
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import FormatError, InputError, WordVectors
from tests.vectors import writers

WORDS = ["the", "cat", "naïve", "sat", "x"]
MATRIX = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.fixture(
    params=["w2v.txt", "glove.txt", "w2v.bin", "w2v-bare.bin", "f.vec.gz", "w.bin.gz", "g.zip"]
)
def file(request, tmp_path: Path) -> Path:
    name = request.param
    text = writers.word2vec_text(WORDS, MATRIX)
    glove = writers.word2vec_text(WORDS, MATRIX, header=False)
    binary = writers.word2vec_binary(WORDS, MATRIX)
    if name == "g.zip":
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("glove.txt", glove)
        return tmp_path / name
    content = {
        "w2v.txt": text,
        "glove.txt": glove,
        "w2v.bin": binary,
        "w2v-bare.bin": writers.word2vec_binary(WORDS, MATRIX, newline=b""),
        "f.vec.gz": gzip.compress(text),
        "w.bin.gz": gzip.compress(binary),
    }[name]
    return write(tmp_path / name, content)


def test_every_format_gives_the_same_table(file):
    table = WordVectors.load(file)
    assert table.words == WORDS
    np.testing.assert_array_equal(table.matrix, MATRIX)


def test_every_format_can_be_limited_while_reading(file):
    assert WordVectors.load(file, top_n=2).words == ["the", "cat"]
    some = WordVectors.load(file, only=["x", "naïve", "unseen"])
    assert some.words == ["naïve", "x"]
    np.testing.assert_array_equal(some.matrix, MATRIX[[2, 4]])
    assert WordVectors.load(file, top_n=3, only={"x", "cat"}).words == ["cat"]


def test_nothing_wanted_is_an_error(file):
    with pytest.raises(FormatError, match="none of the words in only="):
        WordVectors.load(file, only=["unseen"])


def test_a_truncated_file_is_an_error(tmp_path):
    for name, content in {
        "a.bin": writers.word2vec_binary(WORDS, MATRIX)[:-5],
        "b.bin": writers.word2vec_binary(WORDS, MATRIX)[:40],
        "c.txt": b"\n".join(writers.word2vec_text(WORDS, MATRIX).split(b"\n")[:4]),
        "d.gz": gzip.compress(writers.word2vec_text(WORDS, MATRIX))[:-20],
    }.items():
        with pytest.raises(FormatError, match="cut short"):
            WordVectors.load(write(tmp_path / name, content))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a 1 2 3\nb 1 2\nc 1 2 3\n", "line 2: 2 numbers after the word, expected 3"),
        (b"a 1 2 3\nb 1 2 3 4\n", "line 2: 4 numbers after the word, expected 3"),
        (b"2 2\na 1 2\nb 1 x\n", "line 3: 'x' is no finite number"),
        (b"2 2\na 1 2\nb 1 nan\n", "line 3: 'nan' is no finite number"),
        (b"a 1 2\nb 1 1e400\n", "line 2"),
        (b"a 1 2\nb 1 2\na 3 4\n", "line 3: the word 'a' stands already in line 1"),
        (b"a 1 2\n\nb 1 2\n", "line 2: 0 numbers"),
        (b"a 1 2\n\xff\xfe 1 2\n", "line 2: the word .* is not UTF-8"),
        (b"a 1 2\nb 1 1.2.3\n", "line 2: '1.2.3' is no finite number"),
        (b"a 1 2\nb 1 2e\n", "line 2: '2e' is no finite number"),
        (b"3 2\na 1 2\nb 1 2\n", "promises 3 words, 2 are there"),
        (b"1 2\na 1 2\nb 1 2\n", "promises 1 words, 2 are there"),
        (b"", "is empty"),
        (b"lonely\n", "line 1: expected a word and its numbers"),
        (b"\0\1\2\3", "of no known format"),
    ],
)
def test_malformed_text_names_the_line(tmp_path, content, text):
    with pytest.raises(FormatError, match=text):
        WordVectors.load(write(tmp_path / "bad.txt", content))


def test_words_with_spaces_as_in_glove_840b(tmp_path):
    path = write(tmp_path / "g.txt", b"the 1 2\n. . . 3 4\nat name@domain.com 5 6\n")
    assert WordVectors.load(path).words == ["the", ". . .", "at name@domain.com"]


def test_windows_line_ends_and_trailing_blanks(tmp_path):
    path = write(tmp_path / "g.txt", b"the 1 2 \r\ncat\t3 -4e-1\r\n\r\n")
    table = WordVectors.load(path)
    assert table.words == ["the", "cat"]
    np.testing.assert_array_equal(table.matrix, np.array([[1, 2], [3, -0.4]], dtype=np.float32))


def test_lines_across_chunk_borders(tmp_path, monkeypatch):
    from psif.vectors.readers import text

    def small_chunks(stream, pending):
        data = pending + stream.read()
        lines = data.splitlines(keepends=True)
        yield from (b"".join(lines[i : i + 2]) for i in range(0, len(lines), 2))

    monkeypatch.setattr(text, "_chunks", small_chunks)
    path = write(tmp_path / "g.txt", writers.word2vec_text(WORDS, MATRIX))
    assert WordVectors.load(path).words == WORDS
    path = write(tmp_path / "bad.txt", b"a 1\nb 2\nc 3\nd 4\ne x\n")
    with pytest.raises(FormatError, match="line 5"):
        WordVectors.load(path)


def test_chunks_end_with_lines(tmp_path):
    from io import BytesIO

    from psif.vectors.readers import text

    data = b"".join(b"w%d 1.5\n" % i for i in range(300_000)) + b"last 2"
    chunks = list(text._chunks(BytesIO(data), b""))
    assert len(chunks) > 2
    assert all(chunk.endswith(b"\n") for chunk in chunks)
    assert b"".join(chunks) == data + b"\n"


@settings(max_examples=200, deadline=None)
@given(
    numbers=st.lists(
        st.one_of(
            st.floats(width=32, allow_nan=False, allow_infinity=False).map(repr),
            st.floats(-1e30, 1e30).map(lambda x: f"{x:.12g}"),
            st.floats(-100, 100).map(lambda x: f"{x:.6f}"),
            st.sampled_from(["0", "-0.0", "+1.5", ".5", "5.", "1E3", "1e-45", "1" * 25]),
            st.just("0." + "0" * 30 + "1"),
        ),
        min_size=1,
        max_size=4,
    )
)  # fmt: skip
def test_compiled_numbers_agree_with_python(numbers):
    from psif.compiled.number_lines import find_words, read_numbers

    line = ("word " + " ".join(numbers) + "\n").encode()
    buffer = np.frombuffer(line, dtype=np.uint8)
    spans = find_words(buffer, len(numbers))
    assert line[: spans[0, 1]] == b"word"
    out = np.empty((1, len(numbers)), dtype=np.float32)
    assert read_numbers(buffer, spans, out) == -1
    expected = np.array([float(x) for x in numbers]).astype(np.float32)
    np.testing.assert_allclose(out[0], expected, rtol=1.3e-7, atol=1.5e-45)


def test_a_zip_of_several_files_asks_which(tmp_path):
    with zipfile.ZipFile(tmp_path / "glove.zip", "w") as archive:
        archive.writestr("one.txt", b"a 1 2\n")
        archive.writestr("two.txt", b"a 1 2 3\n")
    with pytest.raises(InputError, match=r"holds several files.*one\.txt, two\.txt"):
        WordVectors.load(tmp_path / "glove.zip")
    assert WordVectors.load(tmp_path / "glove.zip" / "two.txt").dim == 3
    with pytest.raises(InputError, match="no such file"):
        WordVectors.load(tmp_path / "glove.zip" / "three.txt")


def test_what_names_a_source(tmp_path):
    from psif.vectors.loading import is_source

    with zipfile.ZipFile(tmp_path / "glove.zip", "w") as archive:
        archive.writestr("one.txt", b"a 1 2\n")
    assert is_source(tmp_path / "glove.zip" / "one.txt")
    assert is_source(str(tmp_path))
    assert is_source("wordllama")
    assert not is_source(tmp_path / "nothing.txt")


def test_a_missing_path_says_what_is_beside_it(tmp_path):
    (tmp_path / "glove.txt").touch()
    with pytest.raises(InputError, match=r"there is no file or folder .*glove\.txt"):
        WordVectors.load(tmp_path / "glov.txt")


def test_pickles_are_refused_with_a_hint(tmp_path):
    path = write(tmp_path / "m.kv", pickle.dumps({"a": 1}))
    with pytest.raises(FormatError, match=r"pickle.*trust=True"):
        WordVectors.load(path)


def test_wrong_limits_and_formats_are_named(tmp_path):
    path = write(tmp_path / "g.txt", b"a 1 2\n")
    with pytest.raises(InputError, match="top_n must be 1 or more; got 0"):
        WordVectors.load(path, top_n=0)
    with pytest.raises(InputError, match="takes a collection of words"):
        WordVectors.load(path, only="a")
    with pytest.raises(InputError, match="no format is called 'glove'"):
        WordVectors.load(path, format="glove")
    with pytest.raises(FormatError, match="header of two counts"):
        WordVectors.load(path, format="word2vec-binary")


class KeyedVectors:
    """As gensim's, for what is used of it."""

    index_to_key = WORDS
    vectors = MATRIX


def test_gensim_objects_are_taken_as_they_are():
    table = WordVectors.from_object(KeyedVectors())
    assert table.words == WORDS
    assert table.matrix is MATRIX
    assert WordVectors.from_object(table) is table
    with pytest.raises(InputError, match="a gensim KeyedVectors; got int"):
        WordVectors.from_object(3)


def test_gensim_files_open_with_trust(tmp_path):
    gensim = pytest.importorskip("gensim.models")
    keyed = gensim.KeyedVectors(3)
    keyed.add_vectors(WORDS, MATRIX)
    keyed.save(str(tmp_path / "m.kv"))
    table = WordVectors.load(tmp_path / "m.kv", trust=True)
    assert table.words == WORDS
    np.testing.assert_array_equal(table.matrix, MATRIX)
    assert WordVectors.load(tmp_path / "m.kv", trust=True, only=["x"]).words == ["x"]


def test_a_pipe_is_refused_at_once(tmp_path):
    """A first look would take the first words from it, and the table would lack them."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="is a pipe or a device; word vectors are read from files"):
        WordVectors.load(pipe)
