import math

import numpy as np
import pytest
from benchmarks.defaults import Split, _cut, npmi, precision_at_10, psif
from scipy.sparse import csc_array

from tests import corpora


def test_npmi_by_hand():
    # Words 0 and 1 always together in half of the documents; words 0 and 2 never.
    present = csc_array(np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1], [0, 0, 1]], np.float32))
    assert npmi(present, [[0, 1]]) == pytest.approx(1)
    assert npmi(present, [[0, 2]]) == -1
    assert npmi(present, [[0]]) == 0
    half = csc_array(np.array([[1, 1], [1, 0], [1, 0], [0, 0]], np.float32))
    # p = 1/4 for both, 3/4 and 1/4 alone.
    assert npmi(half, [[0, 1]]) == pytest.approx(math.log(4 / 3) / math.log(4))


def test_the_latest_posts_are_cut_off():
    rows = [{"id": f"alt.atheism/{i}", "label": "a", "text": str(i)} for i in (9, 1, 5, 7, 3)]
    train, test = _cut(rows)
    assert [row["text"] for row in test] == ["9"]
    assert len(train) == 4


def test_copies_stay_on_one_side():
    rows = [{"id": i, "label": "a", "text": str(i // 2)} for i in range(20)]
    train, test = _cut(rows)
    assert len(test) == 4
    assert not {row["text"] for row in train} & {row["text"] for row in test}


@pytest.mark.filterwarnings("ignore")
def test_everything_is_measured():
    texts = corpora.texts(90)
    labels = np.array([i % 3 for i in range(90)])
    data = Split(texts[:60], labels[:60], texts[60:], labels[60:])
    found = psif(data, {"n_topics": 3, "dim": 8}, all_numbers=True)
    assert found["accuracy"] > 80
    assert found["precision_at_10"] > 60
    assert 0 < found["three_topics"] <= 100 + 1e-6
    assert found["largest_topic"] < 100
    rows = np.eye(3)[labels]
    assert precision_at_10(rows[:60], rows[60:], data) == 100
