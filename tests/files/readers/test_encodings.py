import codecs
import gzip
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif.errors import FormatError, InputError
from psif.files.readers import ReadOptions, ReadReport, read_documents

TEXT = "Größe und Übel, naïve words\nsecond line\n"


def read(path, content, **options):
    path.write_bytes(content)
    report = ReadReport()
    return [doc.text for doc in read_documents([path], ReadOptions(**options), report)], report


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_unicode_with_and_without_a_mark(tmp_path, encoding, end):
    content = TEXT.replace("\n", end).encode(encoding)
    texts, report = read(tmp_path / "x.txt", content)
    assert texts == TEXT.split("\n")[:-1]
    assert report.n_replaced == 0


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF32_BE, "utf-32-be")],
)
def test_marks_of_the_other_byte_order(tmp_path, mark, encoding):
    assert read(tmp_path / "x.txt", mark + TEXT.encode(encoding))[0] == TEXT.split("\n")[:-1]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-32-be"])
def test_a_mark_is_no_part_of_the_text_when_the_encoding_is_named(tmp_path, encoding):
    content = ("\ufeff" + TEXT).encode(encoding)
    assert read(tmp_path / "x.txt", content, encoding=encoding)[0] == TEXT.split("\n")[:-1]


def test_the_name_of_the_first_column_has_no_mark(tmp_path):
    content = "\ufefftext\none\n".encode()
    assert read(tmp_path / "x.csv", content, encoding="utf-8")[0] == ["one"]


@pytest.mark.parametrize(
    "content",
    [
        b"text with one \0 zero byte\n",
        b"\0" * 400,
        bytes(range(256)) * 4,
        "漢字かな交じり文\n".encode("utf-16-le") * 9,
        b"a\0b\0c\0d",
    ],
    ids=["zero", "zeros", "all bytes", "chinese", "short"],
)
def test_zero_bytes_are_refused_unless_they_are_utf16(tmp_path, content):
    if content == b"a\0b\0c\0d":  # four characters of UTF-16
        assert read(tmp_path / "x.txt", content + b"\0")[0] == ["abcd"]
        return
    with pytest.raises(FormatError, match=r"x\.txt: looks like a binary file"):
        read(tmp_path / "x.txt", content)


def test_what_is_refused_can_be_read_by_naming_its_encoding(tmp_path):
    content = "漢字\n".encode("utf-16-le") * 9
    with pytest.raises(FormatError, match="if it is UTF-16, name it with --encoding utf-16-le"):
        read(tmp_path / "x.txt", content)
    assert read(tmp_path / "x.txt", content, encoding="utf-16-le")[0] == ["漢字"] * 9


@pytest.mark.parametrize("encoding", ["rot13", "hex", "undefined", "idna", "a\0b", "", "klingon"])
def test_what_is_no_text_encoding(tmp_path, encoding):
    with pytest.raises(InputError, match="unknown encoding"):
        read(tmp_path / "x.txt", b"a", encoding=encoding)


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="here this codec replaces bytes too")
def test_a_codec_without_replacements(tmp_path):
    with pytest.raises(FormatError, match=r"x\.txt, line 1: cannot be decoded"):
        read(tmp_path / "x.txt", b"\xff", encoding="punycode")


def test_half_a_character_at_the_end(tmp_path):
    texts, report = read(tmp_path / "x.txt", "ab".encode("utf-16")[:-1])
    assert texts == ["a\ufffd"]
    assert report.n_replaced == 1


def test_one_carriage_return_in_a_file_of_lines(tmp_path):
    assert read(tmp_path / "x.txt", b"a\rb\nc\n")[0] == ["a\rb", "c"]


def test_damaged_gzip_of_every_kind(tmp_path):
    packed = gzip.compress(b"one two three\n" * 200, mtime=0)
    for content in (
        packed[:-8],
        packed[:20],
        packed[:15] + b"\xff\xff" + packed[17:],
        packed[:-5] + b"\0" + packed[-4:],
        packed + b"trailing",
        b"\x1f\x8b",
    ):
        with pytest.raises(FormatError, match=r"x\.txt\.gz: damaged or cut gzip file"):
            read(tmp_path / "x.txt.gz", content)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_any_text_comes_back_in_any_unicode_encoding(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "any.txt"
    text = text.removeprefix("\ufeff") or "a"
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        texts, report = read(path, text.encode(encoding))
        assert (texts, report.n_replaced) == ([text], text.count("\ufffd"))
