"""Our own folders: what is checked when they open, what when they are used, what they replace."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from psif import FormatError, InputError, WordVectors
from psif.cli.main import psif
from psif.vectors import row_checks
from psif.vectors.readers import folder
from psif.vectors.subwords import CharacterNgrams

WORDS = ["the", "cat", "a\u2028b", "c\rd"]
MATRIX = np.arange(8, dtype=np.float32).reshape(4, 2)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    ngrams = CharacterNgrams(np.ones((5, 2), dtype=np.float32), 2, 3)
    WordVectors(WORDS, MATRIX, subwords=ngrams).save(tmp_path / "own")
    return tmp_path / "own"


def use(place: Path) -> tuple:
    """All that a folder gives."""
    table = WordVectors.load(place)
    built = table.vector("unseen")
    assert table.subwords is not None
    return table.words, table.matrix.tolist(), built.tolist()


def test_a_failed_save_leaves_what_was_there(own, monkeypatch):
    def interrupt(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(folder.json, "dumps", interrupt)
    with pytest.raises(KeyboardInterrupt):
        WordVectors(["other"], MATRIX[:1]).save(own)
    monkeypatch.undo()
    assert WordVectors.load(own).words == WORDS
    assert os.listdir(own.parent) == ["own"]


def test_a_word_with_a_line_break_cannot_be_saved(tmp_path):
    with pytest.raises(InputError, match="holds a line break"):
        WordVectors(["a\nb"], MATRIX[:1]).save(tmp_path / "own")


def test_words_with_lone_surrogates_are_saved(tmp_path):
    WordVectors(["a\ud800", "b"], MATRIX[:2]).save(tmp_path / "own")
    assert WordVectors.load(tmp_path / "own").words == ["a\ud800", "b"]


@pytest.mark.parametrize("name", ["vectors.npy", "vocab.txt", "vectors.json", "subwords.npy"])
def test_no_flipped_bit_goes_unnoticed(own, name):
    expected = use(own)
    whole = (own / name).read_bytes()
    rng = np.random.default_rng(0)
    for bit in rng.permutation(8 * len(whole))[:1500].tolist():
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        (own / name).write_bytes(changed)
        try:
            found = use(own)
        except FormatError as error:
            found = str(error)
        # White space of the manifest means nothing.
        assert found == expected or str(own) in found


@pytest.mark.parametrize("name", ["vectors.npy", "vocab.txt", "vectors.json", "subwords.npy"])
def test_files_that_are_cut_lengthened_or_missing_are_refused(own, name):
    whole = (own / name).read_bytes()
    for content in (whole[: len(whole) // 2], whole[:-1], whole + b"\0", b""):
        if name == "vectors.json" and content.rstrip() == whole.rstrip():
            continue
        (own / name).write_bytes(content)
        with pytest.raises(FormatError, match=name):
            WordVectors.load(own)
    (own / name).unlink()
    if name != "vectors.json":  # Without it the folder is one of another program.
        with pytest.raises(FormatError, match=name):
            WordVectors.load(own)


def test_opening_reads_no_number_and_using_one_reads_its_block(tmp_path, monkeypatch):
    monkeypatch.setattr(row_checks, "_BLOCK_BYTES", 16)  # two rows
    words = [f"w{i}" for i in range(10)]
    WordVectors(words, np.ones((10, 2), dtype=np.float32)).save(tmp_path / "own")
    raw = bytearray((tmp_path / "own" / "vectors.npy").read_bytes())
    raw[-1] ^= 1  # in the last row
    (tmp_path / "own" / "vectors.npy").write_bytes(raw)
    table = WordVectors.load(tmp_path / "own")
    assert (len(table), table.dim, "w9" in table) == (10, 2, True)
    assert table["w7"].tolist() == [1, 1]
    damaged = r"vectors\.npy, rows 8 to 9: the numbers do not match their checksum"
    with pytest.raises(FormatError, match=damaged):
        table["w8"]
    with pytest.raises(FormatError, match=damaged):
        _ = table.matrix
    assert WordVectors.load(tmp_path / "own", top_n=8).words == words[:8]
    with pytest.raises(FormatError, match=damaged):
        WordVectors.load(tmp_path / "own", only=["w9"])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_are_refused_even_with_a_right_checksum(tmp_path, monkeypatch, value):
    matrix = MATRIX.copy()
    matrix[2, 1] = value
    with pytest.raises(InputError, match=r"1 word vectors hold NaN or infinity.*row 2"):
        WordVectors(WORDS, matrix)
    folder.write_folder(tmp_path / "own", WORDS, matrix, None)
    with pytest.raises(FormatError, match="row 2: the vector holds NaN or infinity"):
        _ = WordVectors.load(tmp_path / "own").matrix


def test_large_finite_numbers_are_no_infinity():
    assert WordVectors(["a", "b"], np.full((2, 3), 3e38, dtype=np.float32)).dim == 3


def test_a_repeated_word_is_refused_even_with_a_right_checksum(tmp_path):
    folder.write_folder(tmp_path / "own", ["a", "b", "a", "c"], MATRIX, None)
    with pytest.raises(FormatError, match=r"own: the word 'a' stands twice, in rows 0 and 2"):
        WordVectors.load(tmp_path / "own")


def test_folders_of_version_0_1_are_read_and_checked(own):
    manifest = json.loads((own / "vectors.json").read_text())
    del manifest["files"], manifest["checksum"]
    (own / "vectors.json").write_text(json.dumps(manifest))
    assert use(own)[0] == WORDS
    matrix = MATRIX.copy()
    matrix[1, 1] = np.nan
    np.save(own / "vectors.npy", matrix)
    with pytest.raises(FormatError, match="NaN or infinity, the first is that of 'cat'"):
        WordVectors.load(own)


def test_other_manifests_are_refused(own):
    for text, reason in [
        ("{", "damaged"),
        ("[]", "holds no JSON object"),
        ('{"kind": "psif-word-vectors", "version": 99}', "version 99"),
        ('{"kind": "psif-word-vectors", "version": 1, "files": {}}', "checksum"),
        ("[" * 100_000, "damaged"),
    ]:
        (own / "vectors.json").write_text(text)
        with pytest.raises(FormatError, match=reason):
            WordVectors.load(own)


def test_folders_of_other_programs_are_checked(tmp_path):
    np.save(tmp_path / "vectors.npy", MATRIX)
    for words, reason in [
        ("a\nb\na\nc\n", "the word 'a' stands twice"),
        ("a\nb\n\nc\n", "word 2 is ''"),
        ("a\nb\n", "vocab.txt has 2 lines, vectors.npy is of shape"),
    ]:
        (tmp_path / "vocab.txt").write_text(words)
        with pytest.raises(FormatError, match=reason):
            WordVectors.load(tmp_path)
    (tmp_path / "vocab.txt").write_bytes(b"a\nb\n\xff\nc\n")
    with pytest.raises(FormatError, match=r"vocab\.txt is damaged"):
        WordVectors.load(tmp_path)
    (tmp_path / "vocab.txt").write_text("a\nb\nc\nd\n")
    assert WordVectors.load(tmp_path).words == ["a", "b", "c", "d"]
    for array in (MATRIX[0], np.array(WORDS), MATRIX.astype(complex)):
        np.save(tmp_path / "vectors.npy", array)
        with pytest.raises(FormatError, match="expected a matrix of numbers"):
            WordVectors.load(tmp_path)


def files_in(place: Path) -> dict[str, bytes]:
    return {str(p.relative_to(place)): p.read_bytes() for p in place.rglob("*") if p.is_file()}


def foreign_folders(tmp_path: Path, own: Path) -> list[Path]:
    """Folders that are not ours, one of them with the names of our files."""
    thesis, names, mixed = tmp_path / "thesis", tmp_path / "names", own
    for place in (thesis, names):
        place.mkdir()
    (thesis / "thesis.tex").write_text("years of work")
    np.save(names / "vectors.npy", MATRIX)
    (names / "vocab.txt").write_text("a\nb\nc\nd\n")
    (names / "vectors.json").write_text('{"kind": "mine"}')
    (mixed / "notes.txt").write_text("where the table is from")
    return [thesis, names, mixed]


def test_saving_replaces_only_our_own_folders(tmp_path, own):
    table = WordVectors(["x"], MATRIX[:1])
    (tmp_path / "empty").mkdir()
    for place in (own, tmp_path / "empty", tmp_path / "new"):
        table.save(place)
        assert WordVectors.load(place).words == ["x"]
        assert not (place / "subwords.npy").exists()
    for place in foreign_folders(tmp_path, own):
        before = files_in(place)
        with pytest.raises(InputError, match=r"not a folder of word vectors that psif wrote.*lost"):
            table.save(place)
        assert files_in(place) == before
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="is a file; word vectors are saved as a folder"):
        table.save(tmp_path / "file")


@pytest.mark.parametrize("command", ["train", "convert", "distill"])
def test_commands_refuse_foreign_folders_before_they_work(tmp_path, own, command):
    for place in foreign_folders(tmp_path, own):
        before = files_in(place)
        arguments = {
            "train": ["train", "no-such-file.txt", "-o", str(place)],
            "convert": ["convert", "no-such-file.txt", str(place)],
            "distill": ["distill", "no-such-folder", "-o", str(place)],
        }[command]
        result = CliRunner().invoke(psif, ["vectors", *arguments])
        assert result.exit_code == 1
        assert "not a folder of word vectors that psif wrote" in result.stderr
        assert files_in(place) == before


def test_a_table_is_not_converted_onto_itself(tmp_path, own):
    link = tmp_path / "link"
    link.symlink_to(own, target_is_directory=True)
    for target in (own, link):
        result = CliRunner().invoke(psif, ["vectors", "convert", str(own), str(target)])
        assert result.exit_code == 1
        assert "is the table to convert" in result.stderr
    assert use(own)[0] == WORDS
