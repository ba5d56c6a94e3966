import gzip
import hashlib
import json
import os
import urllib.request
from dataclasses import replace

import pytest

from psif.errors import FormatError, InputError
from psif.evaluation.data.fetching import fetch as fetching
from psif.evaluation.data.fetching.contents import content_sha256, expected_contents
from psif.evaluation.data.fetching.download import DownloadError
from psif.evaluation.data.fetching.fetch import fetch, find_sources
from psif.evaluation.data.fetching.sources import SOURCES, Remote
from psif.evaluation.data.folders import cache_root, data_file, read_rows
from psif.evaluation.tasks import GROUPS, TASKS
from tests.evaluation.data.fetching.packing import zipped

ROWS = [
    {"id": "1", "text_a": "a", "text_b": "b", "score": 1.0, "label": "X"},
    {"id": "2", "text_a": "é", "text_b": "d", "score": 2.0, "label": "Y"},
]


HEADER = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"


@pytest.fixture
def source(server, tmp_path, monkeypatch):
    """SICK, as small as possible, on a server of our own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("PSIF_DATA", raising=False)
    remotes = []
    for name, row in (("SICK_train.txt", ROWS[0]), ("SICK_test_annotated.txt", ROWS[1])):
        line = f"{row['id']}\t{row['text_a']}\t{row['text_b']}\t{row['score']}\t{row['label']}\n"
        (tmp_path / name).write_text(HEADER + line, encoding="utf-8")
        server.files[f"/{name}"] = (tmp_path / name).read_bytes()
        remotes.append(Remote(f"{server.url}/{name}", name))
    expected = {
        "sick/train": {"rows": 1, "sha256": content_sha256(ROWS[:1])},
        "sick/test": {"rows": 1, "sha256": content_sha256(ROWS[1:])},
    }
    monkeypatch.setattr(fetching, "expected_contents", lambda: expected)
    return replace(SOURCES["sick"], files=tuple(remotes))


def test_a_set_is_fetched_checked_and_found(source):
    found = fetch(source)
    assert found.rows == {"train": 1, "test": 1}
    assert found.differs == []
    assert found.folder == cache_root() / "sick"
    assert list(read_rows("sick/test")) == ROWS[1:]
    assert [path.name for path in sorted(found.folder.parent.rglob("*")) if path.is_file()] == [
        "test.jsonl.gz", "train.jsonl.gz",
    ]  # fmt: skip


def test_files_of_several_sets_are_downloaded_once(source, server, tmp_path):
    for _ in range(2):
        fetch(source, downloads=tmp_path / "shared")
    assert len(server.asked) == 2


def test_the_same_rows_are_the_same_bytes(source):
    first = (fetch(source).folder / "test.jsonl.gz").read_bytes()
    assert (fetch(source).folder / "test.jsonl.gz").read_bytes() == first


def test_psif_data_comes_before_the_cache(source, tmp_path, monkeypatch):
    fetch(source)
    (tmp_path / "mine" / "sick").mkdir(parents=True)
    with gzip.open(tmp_path / "mine" / "sick" / "test.jsonl.gz", "wt") as file:
        file.write(json.dumps({"text_a": "mine"}) + "\n")
    monkeypatch.setenv("PSIF_DATA", str(tmp_path / "mine"))
    assert next(iter(read_rows("sick/test")))["text_a"] == "mine"
    assert data_file("sick/train.jsonl.gz").is_relative_to(cache_root())


def test_other_content_and_other_numbers_are_refused(source, monkeypatch):
    expected = {**fetching.expected_contents(), "sick/test": {"rows": 1, "sha256": "0"}}
    monkeypatch.setattr(fetching, "expected_contents", lambda: expected)
    with pytest.raises(FormatError, match="sick-r: the texts or labels of test are not those"):
        fetch(source)
    assert not (cache_root() / "sick").exists()
    assert fetch(source, accept=True).differs == ["test"]
    # An archive that is proven to be the right one by its digest is taken, and the difference told.
    digests = {r.name: hashlib.sha256(_served(r)).hexdigest() for r in source.files}
    known = tuple(r._replace(sha256=digests[r.name]) for r in source.files)
    assert fetch(replace(source, files=known)).differs == ["test"]
    expected["sick/test"]["rows"] = 5
    with pytest.raises(FormatError, match="got test 1, train 1 rows, expected test 5, train 1"):
        fetch(replace(source, files=known))
    assert fetch(source, accept=True).rows == {"train": 1, "test": 1}


def _served(remote):
    with urllib.request.urlopen(remote.url) as answer:
        return answer.read()


def test_without_a_network_one_line_says_what_to_do(source, tmp_path):
    away = tuple(Remote("http://127.0.0.1:9/a", remote.name) for remote in source.files)
    away = replace(source, files=away)
    with pytest.raises(DownloadError, match=r"`psif data fetch sick-r --from FILE`\.$") as caught:
        fetch(away)
    assert "\n" not in str(caught.value)
    given = [tmp_path / name for name in ("SICK_train.txt", "SICK_test_annotated.txt")]
    assert fetch(away, files=given).rows == {"train": 1, "test": 1}
    with pytest.raises(FormatError, match=r"other\.zip: found nothing of sick-r"):
        fetch(away, files=[zipped(tmp_path / "other.zip", {"a": "b"})])


def test_a_set_that_asks_to_log_in_says_so():
    with pytest.raises(InputError, match=r"kaggle.com.*`psif data fetch recipe --from FILE`"):
        fetch(SOURCES["recipe_l"])


@pytest.mark.parametrize(
    ("folder", "name", "content"),
    [
        ("pit2015", "test.data", "1\ttitle\tleft\n"),
        ("pit2015", "dev.data", "1\tt\tl\tr\tno votes\t\n"),
        ("sick", "SICK_train.txt", "pair_ID\tsentence_A\n1\ta\n"),
        ("sick", "SICK_train.txt", HEADER + "1\ta\tb\tmuch\tNEUTRAL\n"),
        ("sst2", "sentiment-dev", "good\tfine\n"),
        ("sst2", "stsa.binary.train", "alone\n"),
        ("recipe_l", "train.json", '{"id": 1}'),
        ("recipe_l", "train.json", "[" * 100_000),
        ("recipe_l", "train.json", '[{"id": 1, "cuisine": "x"}]'),
        ("recipe_l", "train.json", "[3]"),
        ("stsb", "sts-dev.csv", "a\tb\tc\td\tnone\tf\tg\n"),
    ],
)
def test_a_file_of_another_form_is_named_in_one_line(tmp_path, folder, name, content):
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=rf"{name}: not in the form that .* has at its source"):
        fetch(SOURCES[folder], files=[tmp_path / name], root=tmp_path / "data", accept=True)
    assert not (tmp_path / "data").exists()


def test_every_task_has_a_source():
    # The collections for search have no source that could be fetched.
    fetched = sorted(task for source in SOURCES.values() for task in source.tasks)
    assert fetched == sorted(set(TASKS) - set(GROUPS["search"]))
    assert len(find_sources(["all"])) == len(SOURCES)
    found = [source.folder for source in find_sources(["sts", "sts12"])]
    assert found[:2] == ["sts/STS12", "sts/STS13"]
    assert len(find_sources(GROUPS["wmd"])) == 8
    with pytest.raises(InputError, match="Did you mean 'sick-r'"):
        find_sources(["sick-t"])
    assert {name.rpartition("/")[0] for name in expected_contents()} == set(SOURCES)


@pytest.mark.skipif(
    not os.environ.get("PSIF_DATA"), reason="PSIF_DATA names no folder with the evaluation sets"
)
def test_our_copies_are_what_is_expected():
    for name in ("sick/trial", "bbcsport/test", "sts/STS16/plagiarism", "twitter_sentiment/test"):
        rows = list(read_rows(name))
        known = expected_contents()[name]
        assert (len(rows), content_sha256(rows)) == (known["rows"], known["sha256"])
