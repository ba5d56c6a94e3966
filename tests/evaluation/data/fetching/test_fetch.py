import gzip
import json
import os
from dataclasses import replace

import pytest

from psif.errors import FormatError, InputError
from psif.evaluation.data.fetching import fetch as fetching
from psif.evaluation.data.fetching.contents import content_sha256, expected_contents
from psif.evaluation.data.fetching.download import DownloadError
from psif.evaluation.data.fetching.fetch import fetch, find_homes
from psif.evaluation.data.fetching.sources import HOMES
from psif.evaluation.data.folders import cache_root, data_file, read_rows
from psif.evaluation.tasks import GROUPS, TASKS
from tests.evaluation.data.fetching.packing import zipped

ROWS = [
    {"id": "1", "text_a": "a", "text_b": "b", "score": 1.0, "label": "X"},
    {"id": "2", "text_a": "é", "text_b": "d", "score": 2.0, "label": "Y"},
]


@pytest.fixture
def home(server, tmp_path, monkeypatch):
    """SICK, as small as possible, in a home of our own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("PSIF_DATA", raising=False)
    header = "pair_ID\tsentence_A\tsentence_B\tentailment_label\trelatedness_score\tSemEval_set\n"
    lines = [f"{r['id']}\t{r['text_a']}\t{r['text_b']}\t{r['label']}\t{r['score']}" for r in ROWS]
    text = header + f"{lines[0]}\tTRAIN\n{lines[1]}\tTEST\n"
    server.files["/SICK.zip"] = zipped(tmp_path / "SICK.zip", {"SICK.txt": text}).read_bytes()
    expected = {
        "sick/train": {"rows": 1, "sha256": content_sha256(ROWS[:1])},
        "sick/test": {"rows": 1, "sha256": content_sha256(ROWS[1:])},
    }
    monkeypatch.setattr(fetching, "expected_contents", lambda: expected)
    return replace(HOMES["sick"], url=f"{server.url}/SICK.zip")


def test_a_set_is_fetched_checked_and_found(home):
    found = fetch(home)
    assert found.rows == {"train": 1, "test": 1}
    assert found.differs == []
    assert found.folder == cache_root() / "sick"
    assert list(read_rows("sick/test")) == ROWS[1:]
    assert [path.name for path in sorted(found.folder.parent.rglob("*")) if path.is_file()] == [
        "test.jsonl.gz", "train.jsonl.gz",
    ]  # fmt: skip


def test_the_same_rows_are_the_same_bytes(home):
    first = (fetch(home).folder / "test.jsonl.gz").read_bytes()
    assert (fetch(home).folder / "test.jsonl.gz").read_bytes() == first


def test_psif_data_comes_before_the_cache(home, tmp_path, monkeypatch):
    fetch(home)
    (tmp_path / "mine" / "sick").mkdir(parents=True)
    with gzip.open(tmp_path / "mine" / "sick" / "test.jsonl.gz", "wt") as file:
        file.write(json.dumps({"text_a": "mine"}) + "\n")
    monkeypatch.setenv("PSIF_DATA", str(tmp_path / "mine"))
    assert next(iter(read_rows("sick/test")))["text_a"] == "mine"
    assert data_file("sick/train.jsonl.gz").is_relative_to(cache_root())


def test_other_content_is_told_and_other_numbers_refused(home, monkeypatch):
    expected = {**fetching.expected_contents(), "sick/test": {"rows": 1, "sha256": "0"}}
    monkeypatch.setattr(fetching, "expected_contents", lambda: expected)
    assert fetch(home).differs == ["test"]
    expected["sick/test"]["rows"] = 5
    with pytest.raises(FormatError, match="got test 1, train 1 rows, expected test 5, train 1"):
        fetch(home)
    assert fetch(home, accept=True).rows == {"train": 1, "test": 1}


def test_without_a_network_one_line_says_what_to_do(home, tmp_path):
    away = replace(home, url="http://127.0.0.1:9/SICK.zip")
    with pytest.raises(DownloadError, match=r"`psif data fetch sick-r --from FILE`\.$") as caught:
        fetch(away)
    assert "\n" not in str(caught.value)
    assert fetch(away, files=[tmp_path / "SICK.zip"]).rows == {"train": 1, "test": 1}
    with pytest.raises(FormatError, match="found nothing of sick-r"):
        fetch(away, files=[zipped(tmp_path / "other.zip", {"a": "b"})])


def test_sets_without_a_home_say_so():
    with pytest.raises(InputError, match=r"kaggle.com.*`psif data fetch recipe --from FILE`"):
        fetch(HOMES["recipe_l"])
    with pytest.raises(InputError, match="put them into the data folder by hand"):
        fetch(HOMES["classic4"])


def test_every_task_has_a_home():
    assert sorted(task for home in HOMES.values() for task in home.tasks) == sorted(TASKS)
    assert len(find_homes(["all"])) == len(HOMES)
    assert [home.folder for home in find_homes(["sts", "sts12"])][:2] == ["sts/STS12", "sts/STS13"]
    assert len(find_homes(GROUPS["wmd"])) == 8
    with pytest.raises(InputError, match="Did you mean 'sick-r'"):
        find_homes(["sick-t"])
    assert {name.rpartition("/")[0] for name in expected_contents()} == set(HOMES)


@pytest.mark.skipif(
    not os.environ.get("PSIF_DATA"), reason="PSIF_DATA names no folder with the evaluation sets"
)
def test_our_copies_are_what_is_expected():
    for name in ("sick/trial", "bbcsport/test", "sts/STS16/plagiarism", "twitter_sentiment/test"):
        rows = list(read_rows(name))
        known = expected_contents()[name]
        assert (len(rows), content_sha256(rows)) == (known["rows"], known["sha256"])


@pytest.mark.skipif(
    not os.environ.get("PSIF_DATA"), reason="PSIF_DATA names no folder with the evaluation sets"
)
def test_a_set_packed_as_its_home_packs_it_comes_back(tmp_path, monkeypatch):
    rows = [row for split in ("train", "test") for row in read_rows(f"bbcsport/{split}")]
    files = {f"bbcsport/{row['id']}": row["text"].encode("latin-1") for row in rows}
    path = zipped(tmp_path / "bbcsport-fulltext.zip", files)
    assert fetch(HOMES["bbcsport"], files=[path], root=tmp_path / "data").differs == []
