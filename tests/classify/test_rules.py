from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from psif.classify.folds import folds, folds_of_texts
from psif.classify.linear.selection import fit_linear
from psif.classify.rules import BY_ACCURACY, BY_F1
from psif.evaluation.scoring.classes import code_classes, score_vectors
from psif.evaluation.tasks.base import Documents, LabelledData


@given(st.lists(st.integers(0, 30), min_size=10, max_size=60))
def test_copies_of_a_text_are_held_out_together_and_every_document_once(numbers):
    texts = [f"text {number}" for number in numbers]
    assume(len(set(texts)) > 1)
    classes = np.arange(len(texts)) % 2
    held_out = []
    for train, held in folds_of_texts(texts, classes, 0):
        assert not {texts[i] for i in train} & {texts[i] for i in held}
        assert sorted([*train, *held]) == list(range(len(texts)))
        held_out += held.tolist()
    assert sorted(held_out) == list(range(len(texts)))


def test_without_copies_the_folds_are_the_usual_ones():
    classes = np.arange(40) % 4
    usual = folds(40, classes, 3)
    found = folds_of_texts([str(i) for i in range(40)], classes, 3)
    for (train, held), (other_train, other_held) in zip(usual, found, strict=True):
        np.testing.assert_array_equal(train, other_train)
        np.testing.assert_array_equal(held, other_held)


def test_accuracy_and_macro_f1_of_two_classes_by_hand():
    wanted, predicted = np.array([0, 0, 0, 1]), np.array([0, 0, 0, 0])
    assert BY_ACCURACY.score(wanted, predicted, 2) == 75.0
    # F1 of the first class: 2·3 / (2·3 + 1) = 6/7; of the second: 0.
    assert BY_F1.score(wanted, predicted, 2) == pytest.approx(300 / 7)


@pytest.mark.parametrize("rules", [BY_ACCURACY, BY_F1])
def test_a_classifier_is_chosen_by_either_rule(rules):
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 3, 90)
    features = (np.eye(3)[classes] + 0.2 * rng.normal(size=(90, 3))).astype(np.float32)
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    train = Documents([f"text {i // 2}" for i in range(90)], [str(label) for label in classes])
    data = LabelledData(train, Documents(["a", "b", "c"], ["0", "1", "2"]))
    outcome = score_vectors(features, np.eye(3, dtype=np.float32), code_classes(data), rules=rules)
    assert outcome.metrics["accuracy"] == 100.0
    assert outcome.details["loss"] in rules.losses
    assert outcome.details["C"] in rules.grid


def test_of_very_many_documents_some_choose_and_all_teach(monkeypatch):
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 3, 120)
    features = (np.eye(3)[classes] + 0.3 * rng.normal(size=(120, 3))).astype(np.float32)
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    train = Documents([str(i) for i in range(120)], [str(label) for label in classes])
    data = LabelledData(train, Documents(["a", "b", "c"], ["0", "1", "2"]))
    fits = []

    def spy(rows, targets, **options):
        fits.append((len(rows), len(options["grid"]) * len(options["losses"])))
        return fit_linear(rows, targets, **options)

    monkeypatch.setattr("psif.classify.choosing.fit_linear", spy)
    few = replace(BY_ACCURACY, most_docs=50)
    outcome = score_vectors(features, np.eye(3, dtype=np.float32), code_classes(data), rules=few)
    assert fits == [(50, 16), (120, 1)]
    assert outcome.metrics["accuracy"] == 100.0
