import hashlib

import pytest

from psif.errors import FormatError, InputError
from psif.evaluation.data.fetching import download as module
from psif.evaluation.data.fetching.download import DownloadError, download

CONTENT = bytes(range(256)) * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def test_a_file_arrives_whole(server, tmp_path):
    server.files["/a.zip"] = CONTENT
    path = download(f"{server.url}/a.zip", tmp_path / "new" / "a.zip", sha256=SHA256)
    assert path.read_bytes() == CONTENT
    assert [found.name for found in path.parent.iterdir()] == ["a.zip"]


def test_a_broken_download_leaves_nothing_and_starts_from_the_beginning(server, tmp_path):
    server.files["/a.zip"], server.breaks_at = CONTENT, 1000
    with pytest.raises(DownloadError, match=r"could not download .*/a\.zip \("):
        download(f"{server.url}/a.zip", tmp_path / "a.zip")
    assert list(tmp_path.iterdir()) == []
    # Another version by now: no byte of the first one may be in it.
    server.files["/a.zip"], server.breaks_at = CONTENT[::-1], None
    assert download(f"{server.url}/a.zip", tmp_path / "a.zip").read_bytes() == CONTENT[::-1]
    assert server.asked == [("/a.zip", None)] * 2


def test_another_checksum_is_refused(server, tmp_path):
    server.files["/a.zip"] = CONTENT[:-1]
    with pytest.raises(FormatError, match=f"expected {SHA256}. It is damaged or was changed"):
        download(f"{server.url}/a.zip", tmp_path / "a.zip", sha256=SHA256)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("announces", [True, False])
def test_a_file_larger_than_the_limit_is_refused(server, tmp_path, monkeypatch, announces):
    server.files["/a.zip"], server.announces = CONTENT, announces
    monkeypatch.setattr(module, "MOST_BYTES", 100_000)
    with pytest.raises(FormatError, match="which no evaluation set has"):
        download(f"{server.url}/a.zip", tmp_path / "a.zip")
    assert list(tmp_path.iterdir()) == []


def test_errors_of_the_server_are_reported(server, tmp_path):
    with pytest.raises(DownloadError, match="Not Found"):
        download(f"{server.url}/b.zip", tmp_path / "b.zip")
    with pytest.raises(DownloadError, match="could not download"):
        download("http://127.0.0.1:9/c.zip", tmp_path / "c.zip")


@pytest.mark.parametrize(
    "url", ["http://example.org/a.zip", "ftp://example.org/a", "file:///etc/x"]
)
def test_only_https_is_fetched(tmp_path, url):
    with pytest.raises(InputError, match="only https addresses are fetched"):
        download(url, tmp_path / "a")


def test_a_redirect_away_from_https_is_refused(server, tmp_path, monkeypatch):
    server.files |= {"/a": f"{server.url}/b", "/b": CONTENT, "/c": "ftp://127.0.0.1/b"}
    assert download(f"{server.url}/a", tmp_path / "a").read_bytes() == CONTENT
    with pytest.raises(InputError, match=r"ftp://127\.0\.0\.1/b: only https"):
        download(f"{server.url}/c", tmp_path / "c")
    # As if the first address had been https: the second is plain http.
    check = module._check_scheme
    monkeypatch.setattr(module, "SCHEMES", {"https"})
    monkeypatch.setattr(module, "_check_scheme", lambda url: None if "/a" in url else check(url))
    with pytest.raises(InputError, match="/b: only https"):
        download(f"{server.url}/a", tmp_path / "d")
    assert not (tmp_path / "d").exists()
