import hashlib

import pytest

from psif.errors import FormatError
from psif.evaluation.data.fetching.download import DownloadError, download

CONTENT = bytes(range(256)) * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def test_a_file_arrives_once(server, tmp_path):
    server.files["/a.zip"] = CONTENT
    for _ in range(2):
        path = download(f"{server.url}/a.zip", tmp_path / "new" / "a.zip", sha256=SHA256)
        assert path.read_bytes() == CONTENT
    assert len(server.asked) == 1
    assert [found.name for found in path.parent.iterdir()] == ["a.zip"]


@pytest.mark.parametrize("ranges", [True, False])
def test_a_broken_download_goes_on(server, tmp_path, ranges):
    server.files["/a.zip"], server.ranges, server.breaks_at = CONTENT, ranges, 1000
    with pytest.raises(DownloadError, match=r"could not download .*/a\.zip \("):
        download(f"{server.url}/a.zip", tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()
    server.breaks_at = None
    download(f"{server.url}/a.zip", tmp_path / "a.zip", sha256=SHA256)
    assert (tmp_path / "a.zip").read_bytes() == CONTENT
    assert server.asked[1] == ("/a.zip", "bytes=1000-")
    assert len(list(tmp_path.iterdir())) == 1


def test_a_part_longer_than_the_file_is_begun_anew(server, tmp_path):
    server.files["/a.zip"] = CONTENT
    (tmp_path / "a.zip.part").write_bytes(CONTENT + b"more")
    download(f"{server.url}/a.zip", tmp_path / "a.zip", sha256=SHA256)
    assert (tmp_path / "a.zip").read_bytes() == CONTENT


def test_another_checksum_is_refused(server, tmp_path):
    server.files["/a.zip"] = CONTENT[:-1]
    with pytest.raises(FormatError, match=f"expected {SHA256}; it is damaged or was changed"):
        download(f"{server.url}/a.zip", tmp_path / "a.zip", sha256=SHA256)
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_served_is_said(server, tmp_path):
    with pytest.raises(DownloadError, match="Not Found"):
        download(f"{server.url}/b.zip", tmp_path / "b.zip")
    with pytest.raises(DownloadError, match="could not download"):
        download("http://127.0.0.1:9/c.zip", tmp_path / "c.zip")
