import numpy as np
import pytest

from psif import InputError
from psif.baselines import METHODS, make_method
from psif.baselines.boe import mean_contexts
from psif.text.flat import FlatDocs
from tests.baselines.corpus import LABELS, NEW, TEXTS

TINY = {"n_components": 8, "min_count": 1, "sample": 0, "random_state": 0, "epochs": 20}


def test_the_right_class_scores_highest():
    method = make_method("boe", **TINY).fit(TEXTS * 20, LABELS * 20)
    scores = method.transform(["cats and dogs sleep", "stocks rise and markets fall"])
    assert method.classes_[scores.argmax(axis=1)].tolist() == ["pet", "money"]


def test_scores_against_loops():
    method = make_method("boe", window=2, **TINY).fit(TEXTS, LABELS)
    index = method.vocabulary_.index
    for row, text in zip(method.transform(NEW), NEW, strict=True):
        ids = [index[word] for word in text.split()]
        for label, score in enumerate(row):
            logs = []
            for t, word in enumerate(ids):
                near = [ids[j] for j in range(len(ids)) if 0 < abs(j - t) <= 2]
                h = np.mean([method.contexts_[j] for j in near], axis=0) if near else 0.0
                dot = np.sum(h * method.targets_[label, word])
                logs.append(np.log(1 / (1 + np.exp(-dot))))
            assert score == pytest.approx(np.mean(logs), abs=1e-5)


def test_contexts_end_with_their_document():
    contexts = np.array([[1.0], [10.0], [100.0]], dtype=np.float32)
    docs = FlatDocs.from_lists([[0, 1, 2], [], [2], [1, 2]])
    around = mean_contexts(contexts, docs, 1).ravel()
    np.testing.assert_allclose(around, [10, 50.5, 10, 0, 100, 10])


def test_labels_are_needed():
    learning = {name for name, method in METHODS.items() if method.needs_labels}
    assert learning == {"boe", "psif-classifier"}
    with pytest.raises(InputError, match=r"call fit\(texts, y\)"):
        make_method("boe").fit(TEXTS)
    with pytest.raises(InputError, match="one class per document"):
        make_method("boe").fit(TEXTS, [["pet", "money"]] * len(TEXTS))
    with pytest.raises(InputError, match="10 documents but 2 classes"):
        make_method("boe", min_count=1).fit(TEXTS, ["pet", "money"])
