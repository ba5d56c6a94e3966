import gzip
import io
import tarfile
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif.errors import FormatError
from psif.evaluation.data.fetching import archives
from psif.evaluation.data.fetching.archives import ending, lines_of, members
from tests.evaluation.data.fetching.packing import tarred, zipped

FILES = {"a/x.txt": "one\ntwo\n", "a/y.txt": "three", "b/z.bin": b"\xff\x00"}


def packed(folder, kind):
    if kind == "zip":
        return zipped(folder / "s.zip", FILES)
    path = tarred(folder / "s.tar.gz", FILES)
    if kind == "tar":
        (folder / "s.tar").write_bytes(gzip.decompress(path.read_bytes()))
        return folder / "s.tar"
    return path.rename(folder / "s.tgz") if kind == "tgz" else path


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tgz"])
def test_members_of_archives(tmp_path, kind):
    path = packed(tmp_path, kind)
    wanted = {name: c.encode() if isinstance(c, str) else c for name, c in FILES.items()}
    assert dict(members(path)) == wanted
    assert [name for name, _ in members(path, lambda name: name.startswith("b/"))] == ["b/z.bin"]


def test_single_files(tmp_path):
    (tmp_path / "plain").write_bytes(b"text")
    (tmp_path / "packed.txt.gz").write_bytes(gzip.compress(b"more"))
    assert list(members(tmp_path / "plain")) == [("plain", b"text")]
    assert list(members(tmp_path / "packed.txt.gz")) == [("packed.txt", b"more")]
    assert list(members(tmp_path / "plain", lambda name: False)) == []


def test_lines_are_utf8(tmp_path):
    path = packed(tmp_path, "zip")
    assert dict(lines_of([path], lambda name: name.endswith("txt")))["a/x.txt"] == ["one", "two"]
    with pytest.raises(FormatError, match=r"s\.zip: b/z\.bin is not UTF-8 text"):
        list(lines_of([path]))
    assert ending("a/b/c", 2) == ("b", "c")


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "plain", "gz"])
def test_an_archive_that_holds_too_much_is_not_unpacked(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(archives, "MOST_BYTES", 100_000)
    zeros = b"0" * 5_000_000
    if kind == "zip":
        path = tmp_path / "bomb.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("zeros", zeros)
        assert path.stat().st_size < 10_000
    elif kind == "plain":
        path = tmp_path / "zeros.txt"
        path.write_bytes(zeros)
    elif kind == "gz":
        path = tmp_path / "zeros.txt.gz"
        path.write_bytes(gzip.compress(zeros))
    else:
        path = tarred(tmp_path / "bomb.tar.gz", {"zeros": zeros})
        if kind == "tar":
            (tmp_path / "bomb.tar").write_bytes(gzip.decompress(path.read_bytes()))
            path = tmp_path / "bomb.tar"
    with pytest.raises(FormatError, match=f"{path.name} holds more than 0 MB"):
        list(members(path))


def test_the_sum_of_members_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST_BYTES", 100)
    path = zipped(tmp_path / "s.zip", {str(i): "x" * 30 for i in range(4)})
    with pytest.raises(FormatError, match="holds more than"):
        list(members(path))
    # What is passed over costs nothing.
    assert len(list(members(path, lambda name: name in "012"))) == 3


def test_a_claimed_size_is_not_trusted(tmp_path, monkeypatch):
    """The header says 5 bytes, the content is more."""
    path = zipped(tmp_path / "s.zip", {"a": b"x" * 50})
    data = bytearray(path.read_bytes())
    directory = data.index(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = (5).to_bytes(4, "little")
    path.write_bytes(bytes(data))
    with pytest.raises(FormatError, match=r"s\.zip: a damaged archive"):
        list(members(path))


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_too_many_files_are_refused(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(archives, "MOST_MEMBERS", 2)
    with pytest.raises(FormatError, match="holds more than 2 files"):
        list(members(packed(tmp_path, kind)))


def test_links_and_devices_are_passed_over(tmp_path):
    path = tmp_path / "links.tar"
    with tarfile.open(path, "w") as archive:
        for name, kind in (("to-passwd", tarfile.SYMTYPE), ("fifo", tarfile.FIFOTYPE)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive.addfile(entry)
        entry = tarfile.TarInfo("../../real")
        entry.size = 2
        archive.addfile(entry, io.BytesIO(b"ok"))
    assert list(members(path)) == [("../../real", b"ok")]


def _small(kind):
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in FILES.items():
                archive.writestr(name, content)
    else:
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            for name, content in FILES.items():
                data = content if isinstance(content, bytes) else content.encode()
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


ARCHIVES = {kind: _small(kind) for kind in ("zip", "tar.gz")}


@given(
    kind=st.sampled_from(sorted(ARCHIVES)),
    changes=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=8),
    cut=st.integers(0, 10**6),
)
def test_a_damaged_archive_gives_members_or_one_clear_error(tmp_path_factory, kind, changes, cut):
    data = bytearray(ARCHIVES[kind])
    for place, value in changes:
        data[place % len(data)] = value
    path = tmp_path_factory.mktemp("damaged") / f"s.{kind}"
    path.write_bytes(bytes(data[: len(data) - cut % 200]))
    try:
        found = list(members(path))
    except FormatError as error:
        message = str(error)
    else:
        message = path.name
        assert all(isinstance(content, bytes) for _, content in found)
    assert path.name in message
