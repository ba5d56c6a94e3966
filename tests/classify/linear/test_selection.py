import numpy as np
import pytest
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC

from psif.classify.linear import selection
from psif.classify.linear.selection import fit_linear
from psif.classify.metrics import micro_f1

GRID = [0.01, 0.3, 10]


def unit(features):
    return features / np.linalg.norm(features, axis=1, keepdims=True)


@pytest.mark.parametrize("n_features", [30, 200])
def test_selects_and_predicts_as_grid_search_over_linear_svc(n_features):
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(4, n_features))
    classes = rng.integers(0, 4, size=160)
    features = unit(centres[classes] + 4 * rng.normal(size=(160, n_features)))
    train, test = slice(0, 120), slice(120, 160)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    splits = list(folds.split(features[train], classes[train]))
    search = GridSearchCV(
        LinearSVC(tol=1e-8, max_iter=200_000, dual=True),
        {"C": GRID}, scoring="f1_macro", cv=splits,
    ).fit(features[train], classes[train])  # fmt: skip
    model = fit_linear(
        features[train],
        classes[train, None] == np.arange(4),
        losses=["squared_hinge"],
        grid=GRID,
        splits=splits,
        score=lambda t, f: f1_score(t.argmax(axis=1), f.argmax(axis=1), average="macro"),
        tol=1e-12,
        fall=1,
    )
    means = [np.mean(model.held_out[value]) for value in GRID]
    np.testing.assert_allclose(means, search.cv_results_["mean_test_score"], atol=1e-9)
    assert search.best_params_["C"] == model.C
    predicted = model.decide(features[test]).argmax(axis=1)
    np.testing.assert_array_equal(predicted, search.predict(features[test]))


def test_selects_and_predicts_as_one_against_the_rest_logistic_regression():
    features, labels = make_multilabel_classification(
        150, 20, n_classes=5, n_labels=2, random_state=0
    )
    features, labels = unit(features + 0.1), labels.astype(bool)
    splits = list(KFold(5, shuffle=True, random_state=0).split(features))
    model = fit_linear(
        features,
        labels,
        losses=["logistic"],
        grid=GRID,
        splits=splits,
        score=lambda t, f: micro_f1(t, f > 0),
        tol=1e-12,
        fall=1,
    )
    for value in GRID:
        for number, (train, held) in enumerate(splits):
            peer = OneVsRestClassifier(LogisticRegression(C=value, solver="liblinear", tol=1e-8))
            peer.fit(features[train], labels[train])
            expected = f1_score(labels[held], peer.predict(features[held]), average="micro")
            assert model.held_out[value][number] == pytest.approx(expected, abs=1e-9)
    assert max(GRID, key=lambda value: np.mean(model.held_out[value])) == model.C


def test_many_columns_are_solved_in_parts(monkeypatch):
    rng = np.random.default_rng(0)
    features, targets = unit(rng.normal(size=(40, 10))), rng.random((40, 7)) < 0.5
    expected = fit_linear(features, targets, losses=["logistic"], grid=[1.0], tol=1e-10)
    monkeypatch.setattr(selection, "_MOST_COLUMNS", 3)
    found = fit_linear(features, targets, losses=["logistic"], grid=[1.0], tol=1e-10)
    np.testing.assert_allclose(found.weights, expected.weights, atol=1e-8)
    assert found.held_out == {}


def test_of_equals_the_smallest_c_is_taken():
    features, targets = np.eye(6), np.eye(6, dtype=bool)[:, :2]
    splits = [(np.arange(5), np.array([5]))]
    model = fit_linear(
        features,
        targets,
        losses=["logistic"],
        grid=[8, 0.5, 2],
        splits=splits,
        score=lambda t, f: 0.5,
    )
    assert model.C == 0.5


def test_the_last_fit_keeps_to_its_rows():
    rng = np.random.default_rng(0)
    features, targets = unit(rng.normal(size=(40, 10))), rng.random((40, 2)) < 0.5
    rows = np.arange(25)
    found = fit_linear(
        features, targets, losses=["logistic"], grid=[1.0], final_rows=rows, tol=1e-10
    )
    expected = fit_linear(features[rows], targets[rows], losses=["logistic"], grid=[1.0], tol=1e-10)
    np.testing.assert_allclose(found.weights, expected.weights, atol=1e-4)


def one_fold():
    rng = np.random.default_rng(3)
    features, targets = unit(rng.normal(size=(60, 12))), rng.random((60, 3)) < 0.4
    return features, targets, [(np.arange(40), np.arange(40, 60))]


def test_larger_values_are_not_tried_once_scores_fall():
    features, targets, splits = one_fold()
    scores = iter([80.0, 90.0, 89.9, 85.0, 99.0])
    model = fit_linear(
        features,
        np.tile(targets, 3),
        losses=["logistic"],
        grid=[1, 2, 3, 4, 5],
        splits=splits,
        score=lambda t, f: next(scores),
    )
    # 89.9 is not far enough below 90; 85 is, and so nobody sees the 99.
    assert model.held_out == {1: [80.0], 2: [90.0], 3: [89.9], 4: [85.0]}
    assert model.C == 2


@pytest.mark.parametrize("sign", [1, -1])
def test_the_loss_and_c_that_do_best_on_held_out_documents_are_taken(sign):
    features, targets, splits = one_fold()

    def fitted(*losses):
        return fit_linear(
            features, targets, losses=losses, grid=GRID, splits=splits, tol=1e-10, fall=1,
            score=lambda t, f: sign * float(np.abs(f).mean()),
        )  # fmt: skip

    alone = {name: fitted(name) for name in ("squared_hinge", "squares")}
    best = {name: max(model.held_out.values()) for name, model in alone.items()}
    expected = max(best, key=best.get)
    model = fitted(*alone)
    assert (model.loss, model.C) == (expected, alone[expected].C)
    np.testing.assert_array_equal(model.weights, alone[expected].weights)
