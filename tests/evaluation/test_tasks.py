import os

import pytest

from psif.errors import FormatError, InputError
from psif.evaluation.data.folders import read_rows
from psif.evaluation.tasks import GROUPS, TASKS, _registry, find_tasks
from psif.evaluation.tasks.base import Documents, LabelledData, PairData, Pairs

needs_data = pytest.mark.skipif(
    not os.environ.get("PSIF_DATA"), reason="PSIF_DATA names no folder with the evaluation sets"
)


def test_names():
    assert " ".join(TASKS) == (
        "20news reuters reuters-modapte bbcsport twitter ohsumed classic r8 amazon recipe "
        "sts12 sts13 sts14 sts15 sts16 stsb sick-r sick-e pit2015 sst2 cranfield npl"
    )
    assert len(GROUPS["wmd"]) == 8
    assert all(task.citation and task.source for task in TASKS.values())


def test_a_group_and_its_members_give_each_task_once():
    found = [task.name for task in find_tasks(["sts13", "sts"])]
    assert found == ["sts13", "sts12", "sts14", "sts15", "sts16"]


def test_an_unknown_task_is_refused_with_the_nearest():
    with pytest.raises(InputError, match=r"'bbcsports'\. Did you mean 'bbcsport'\?"):
        find_tasks(["bbcsports"])


def test_two_tasks_of_one_name_are_a_mistake():
    with pytest.raises(RuntimeError, match="two tasks are called 'sst2'"):
        _registry([TASKS["sst2"], TASKS["sst2"]])


def test_without_the_data_the_error_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.delenv("PSIF_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(InputError, match="let the environment variable PSIF_DATA name a folder"):
        TASKS["r8"].load()
    monkeypatch.setenv("PSIF_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="which is not a folder"):
        TASKS["r8"].load()
    monkeypatch.setenv("PSIF_DATA", str(tmp_path))
    with pytest.raises(InputError, match=r"has no reuters_r8/train.jsonl.gz. `psif data list`"):
        TASKS["r8"].load()
    (tmp_path / "a.jsonl.gz").write_bytes(b"not gzip")
    with pytest.raises(FormatError, match="not gzip-compressed JSON Lines"):
        list(read_rows("a"))


def numbered(n):
    return Documents([str(i) for i in range(n)], list(range(n)))


def test_a_new_split_keeps_the_sizes_and_all_documents():
    data = LabelledData(numbered(7), Documents(["7", "8", "9"], [7, 8, 9]))
    one, same, other = data.resplit(0), data.resplit(0), data.resplit(1)
    assert len(one.train) == 7
    assert sorted(one.train.labels + one.test.labels) == list(range(10))
    assert one == same
    assert one != other
    assert all(
        text == str(label) for text, label in zip(one.test.texts, one.test.labels, strict=True)
    )


def test_folds_test_every_document_once():
    data = LabelledData(numbered(11), Documents([], []))
    parts = [data.fold(i, 5) for i in range(5)]
    assert sorted(label for part in parts for label in part.test.labels) == list(range(11))
    assert all(not set(part.train.labels) & set(part.test.labels) for part in parts)
    assert all(len(part.train) + len(part.test) == 11 for part in parts)


def test_samples_are_small_and_aligned():
    pairs = Pairs(list("abcdef"), list("ABCDEF"), [0, 1, 2, 3, 4, 5])
    part = PairData({"x": pairs}).sample(3).parts["x"]
    assert len(part) == 3
    assert [left.upper() for left in part.left] == part.right
    assert LabelledData(numbered(9), numbered(2)).sample(4).test == numbered(2)


@needs_data
def test_counts_of_the_sets():
    sizes = {}
    for name in ("bbcsport", "twitter", "r8", "ohsumed", "reuters", "reuters-modapte"):
        data = TASKS[name].load()
        sizes[name] = (len(data.train), len(data.test))
    assert sizes == {
        "bbcsport": (517, 220),
        "twitter": (2180, 935),
        "r8": (5485, 2189),
        "ohsumed": (3999, 5153),
        "reuters": (7957, 3410),
        "reuters-modapte": (7770, 3019),
    }


@needs_data
def test_counts_of_the_pairs():
    counts = {
        name: [len(part) for part in TASKS[name].load().parts.values()]
        for name in (*GROUPS["sts"], "pit2015", "sick-e", "stsb")
    }
    assert counts["sts12"] == [750, 750, 459, 750, 399]
    assert counts["sts13"] == [750, 561, 189]
    assert [sum(counts[name]) for name in ("sts14", "sts15", "sts16")] == [3750, 3000, 1186]
    assert (counts["pit2015"], counts["sick-e"], counts["stsb"]) == ([972], [4927], [1379])


@needs_data
def test_the_background_holds_no_test_sentence_of_sts():
    from psif.evaluation.data.background import background_sentences

    known = set(background_sentences())
    assert len(known) > 10_000
    for name in ("sts14", "sts16"):
        for part in TASKS[name].load().parts.values():
            seen = sum(text in known for text in part.texts)
            assert seen <= 0.01 * len(part.texts)
