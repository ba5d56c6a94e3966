import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

from psif import PSIF, PSIFClassifier, PsifError
from psif.classify import estimator
from psif.errors import EmptyDocumentsWarning, InputError
from psif.runtime.norms import unit_rows
from tests.classify.conftest import ANIMALS, MONEY, make_texts, small_model


def test_it_learns_and_predicts_new_texts(fitted):
    texts, y = make_texts(30, seed=1)
    assert fitted.classes_.tolist() == ["animals", "money", "ships"]
    assert fitted.score(texts, y) == 1.0
    assert fitted.predict(["kitten and dog", "bank loan", "sail the ship"]).tolist() == [
        "animals", "money", "ships",
    ]  # fmt: skip
    assert fitted.decision_function(texts).shape == (30, 3)
    assert fitted.held_out_score_ > 90


@pytest.mark.parametrize("name", ["fitted", "fitted_pair", "fitted_several"])
def test_decisions_are_products_of_unit_vectors_and_weights(name, request):
    clf = request.getfixturevalue(name)
    texts = [*make_texts(9, seed=2)[0], "cat", "nothing known", ""]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EmptyDocumentsWarning)
        vectors = unit_rows(clf.model_.transform(texts).astype(np.float64))
        found = clf.decision_function(texts)
    slow = vectors @ clf.weights_ + clf.intercepts_
    np.testing.assert_allclose(found, slow[:, 0] if name == "fitted_pair" else slow, atol=1e-5)


def test_decisions_do_not_depend_on_batches(fitted, monkeypatch):
    texts = make_texts(20, seed=3)[0]
    whole = fitted.decision_function(texts)
    monkeypatch.setattr("psif.classify.folded._DOCS_A_PIECE", 3)
    np.testing.assert_allclose(fitted.decision_function(texts), whole, atol=1e-6)


def test_two_classes_share_one_score(fitted_pair):
    texts, y = make_texts(20, (ANIMALS, MONEY), seed=1)
    values = fitted_pair.decision_function(texts)
    assert values.shape == (20,)
    assert fitted_pair.predict(texts).tolist() == y
    assert ((values > 0) == (np.array(y) == "money")).all()
    assert fitted_pair.predict_proba(texts).shape == (20, 2)


def test_probabilities_sum_to_one_and_agree_with_predictions(fitted, fitted_pair):
    texts = make_texts(30, seed=1)[0]
    for clf in (fitted, fitted_pair):
        found = clf.predict_proba(texts)
        np.testing.assert_allclose(found.sum(axis=1), 1)
        assert clf.classes_[found.argmax(axis=1)].tolist() == clf.predict(texts).tolist()


def test_several_labels_per_document(fitted_several):
    assert fitted_several.predict(["cat dog purr paw fur", "bank loan ship sail bond mast"]) == [
        ["animals"], ["money", "ships"],
    ]  # fmt: skip
    assert fitted_several.score(["cat purr fur dog"], [["animals"]]) == 1.0
    found = fitted_several.predict_proba(["cat dog purr", "bank loan ship sail"])
    assert found.shape == (2, 3)
    assert ((found >= 0) & (found <= 1)).all()
    assert (found[0] > 0.5).tolist() == [True, False, False]


def test_the_same_seed_gives_the_same_classifier_for_any_number_of_threads():
    texts, y = make_texts(30)
    one = PSIFClassifier(small_model(), random_state=3, n_jobs=1).fit(texts, y)
    two = PSIFClassifier(small_model(), random_state=3, n_jobs=2).fit(texts, y)
    np.testing.assert_array_equal(one.weights_, two.weights_)
    assert one.temperature_ == two.temperature_


def test_words_of_unlabelled_texts_are_known():
    texts, y = make_texts(12)
    more = [f"{text} zebra" for text in make_texts(60, seed=4)[0][::3]]  # of animals
    clf = PSIFClassifier(small_model(), random_state=0).fit(texts, y, unlabelled=more)
    assert "zebra" in clf.model_.vocabulary_.words
    assert clf.predict(["zebra"]).tolist() == ["animals"]
    assert len(clf.predict(texts)) == 12


def test_class_weight_moves_the_boundary():
    texts, y = make_texts(40, (ANIMALS, MONEY))
    mixed = [" ".join([*ANIMALS[:4], *MONEY[:4]])]

    def value(class_weight):
        clf = PSIFClassifier(small_model(), class_weight=class_weight, random_state=0)
        return clf.fit(texts, y).decision_function(mixed)[0]

    assert value({"money": 20}) > value({"animals": 20}) + 0.01
    assert value("balanced") == value(None)  # the classes are of the same size


def test_copies_of_a_text_with_weight_one_are_a_weight_of_two():
    from psif.classify.feature_map import FeatureMap
    from psif.classify.features import DocumentFeatures
    from psif.classify.linear.selection import fit_linear

    texts, y = make_texts(12)
    model = small_model()
    docs = model.learn(texts)
    features = DocumentFeatures.of(FeatureMap.of(model), docs)
    targets = np.array(y)[:, None] == np.unique(y)
    weights = np.ones((12, 1))
    weights[:4] = 2
    options = {"losses": ["logistic"], "grid": [1.0], "tol": 1e-6}
    weighed = fit_linear(features, targets, doc_weights=weights, **options)
    rows = np.r_[0:12, 0:4]
    copied = fit_linear(features[rows], targets[rows], **options)
    np.testing.assert_allclose(weighed.weights, copied.weights, atol=2e-3)


@pytest.mark.parametrize("y", [[0, 1] * 10, [True, False] * 10, [1.0, 2.0] * 10, ["é", "x"] * 10])
def test_labels_come_back_as_they_were(y):
    texts = make_texts(20, (ANIMALS, MONEY))[0]
    found = PSIFClassifier(small_model(), random_state=0).fit(texts, y).predict(texts)
    assert found.tolist() == y
    assert type(found.tolist()[0]) is type(y[0])


def test_a_class_with_one_document():
    texts, y = make_texts(20, (ANIMALS, MONEY))
    clf = PSIFClassifier(small_model(), random_state=0)
    clf.fit([*texts, "ship sail port ship sail port mast"], [*y, "ships"])
    assert clf.classes_.tolist() == ["animals", "money", "ships"]
    ships = clf.decision_function(["ship sail port", "cat dog purr"])[:, 2]
    assert ships[0] > ships[1] + 0.1


def test_two_documents():
    clf = PSIFClassifier(small_model(n_topics=1, dim=2), random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.fit(["cat dog cat purr", "bank loan stock"], ["a", "b"])
    assert clf.predict(["cat dog", "bank loan"]).tolist() == ["a", "b"]


def test_empty_texts_are_decided_by_the_bias_and_counted(fitted):
    with pytest.warns(EmptyDocumentsWarning, match="2 of 3 documents have no known word"):
        values = fitted.decision_function(["", "cat", "unheard"])
    np.testing.assert_allclose(values[0], fitted.intercepts_, atol=1e-6)
    np.testing.assert_allclose(values[2], fitted.intercepts_, atol=1e-6)


def test_labels_never_seen_count_as_wrong(fitted):
    texts, y = make_texts(6, seed=1)
    assert fitted.score(texts, [*y[:3], "planes", "planes", "planes"]) == 0.5


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a"] * 6, "only one class, 'a'; 2 or more classes are needed"),
        (["a", "b", None, "a", "b", "a"], r"label of document 2 is missing \(None\)"),
        ([1.0, 2.0, float("nan"), 1.0, 2.0, 1.0], r"label of document 2 is missing \(nan\)"),
        (["a", 1, "a", 1, "a", 1], "mixed types: 'a' is a string and 1 is not"),
        (["a", "b"], "there are 6 texts and 2 labels; give one label per text"),
        (None, "give one label per document"),
        ("ababab", "expected a list with one label per document, got str"),
        ([["a"], "b", "a", "b", "a", "b"], "some documents have a list of labels and others"),
        ([[], [], [], [], [], []], "have no label; 2 or more classes"),
        ([["a"], ["b", None], [], [], [], []], "label of document 1 is missing"),
        ([{"a": 1}] * 6, "of type dict; labels are strings, numbers or booleans"),
        ([0.5, 1.5, 2.25, 0.1, 0.2, 0.3], "Unknown label type"),
    ],
)
def test_bad_labels(y, message):
    texts = make_texts(6)[0]
    with pytest.raises(ValueError, match=message):
        PSIFClassifier(small_model()).fit(texts, y)


def test_a_million_classes_are_refused_before_any_work():
    texts = ["cat"] * 2001
    with pytest.raises(InputError, match="2,001 classes; at most 2,000 are supported"):
        PSIFClassifier(small_model()).fit(texts, [str(i) for i in range(2001)])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"class_weight": "equal"}, "class_weight must be 'balanced', a dict or None"),
        ({"class_weight": {"planes": 2}}, "names 'planes', which no document has"),
        ({"class_weight": {"money": -1}}, "must be positive numbers"),
        ({"model": "psif"}, "model must be a PSIF or None; got str"),
        ({"pairs": "yes"}, "pairs must be True, False or 'auto'; got 'yes'"),
    ],
)
def test_bad_parameters(parameters, message):
    texts, y = make_texts(12)
    with pytest.raises(InputError, match=message):
        PSIFClassifier(**{"model": small_model(), **parameters}).fit(texts, y)


def test_a_single_text_and_missing_texts_are_refused(fitted):
    with pytest.raises(InputError, match=r"Write \[text\]"):
        fitted.predict("cat")
    with pytest.raises(InputError, match="document 1 is missing"):
        fitted.predict(["cat", None])


def test_several_labels_are_not_mixed_up_with_one(fitted, fitted_several):
    with pytest.raises(InputError, match="fitted with one label per document"):
        fitted.score(["cat"], [["animals"]])
    with pytest.raises(InputError, match="fitted with lists of labels"):
        fitted_several.score(["cat"], ["animals"])


def test_an_unfitted_classifier_says_so():
    with pytest.raises(PsifError, match=r"call fit\(texts, y\) first"):
        PSIFClassifier().predict(["cat"])


def test_a_fit_that_fails_changes_nothing(fitted):
    texts, y = make_texts(12)
    clf = PSIFClassifier(small_model(), random_state=0).fit(texts, y)
    before = clf.weights_
    with pytest.raises(InputError):
        clf.fit(texts, ["a"] * 12)
    assert clf.weights_ is before


def test_clone_and_cross_validation():
    texts, y = make_texts(30)
    clf = PSIFClassifier(small_model(), random_state=0)
    assert clone(clf).get_params()["model__n_topics"] == 4
    assert cross_val_score(clf, texts, y, cv=3).mean() > 0.9


def test_the_default_model_is_the_preset():
    clf = PSIFClassifier(random_state=5)
    assert clf._new_model(5).settings == PSIF.from_preset("classification", random_state=5).settings


def test_word_order_is_learned_from_pairs():
    """ "a b" and "b a" have the same words: only pairs tell them apart."""
    rng = np.random.default_rng(0)
    texts, y = [], []
    for i in range(80):
        first, second = ("cat", "dog") if i % 2 else ("dog", "cat")
        texts.append(" ".join([*rng.choice(MONEY, 3), first, second, *rng.choice(MONEY, 3)]))
        y.append("ab" if i % 2 else "ba")
    clf = PSIFClassifier(small_model(), random_state=0).fit(texts, y)
    assert clf.shares_.pairs > 0  # the folds have chosen them
    assert clf.predict(["cat dog", "dog cat"]).tolist() == ["ab", "ba"]
    clf = PSIFClassifier(small_model(), pairs=False, random_state=0).fit(texts, y)
    assert clf.shares_.pairs == len(clf.pairs_) == 0


def test_a_model_of_compact_vectors_is_used_in_full():
    texts, y = make_texts(30)
    clf = PSIFClassifier(small_model(n_dims=3), random_state=0).fit(texts, y)
    assert clf.model_.n_dims is None
    assert clf.score(texts, y) == 1.0


def test_given_word_vectors_and_the_settings_of_a_ready_model():
    texts, y = make_texts(30)
    ready = small_model(word_columns=0.3).fit(texts)
    from psif import WordVectors

    table = WordVectors(ready.vocabulary_.words, ready.words_.vectors)
    for model in (ready, small_model(vectors=table)):
        clf = PSIFClassifier(model, random_state=0).fit(texts[:12], y[:12])
        assert clf.score(texts, y) > 0.9


def test_a_part_of_the_documents_chooses_and_all_teach(monkeypatch):
    texts, y = make_texts(60)
    texts, y = [*texts, "zebra zebra stripe stripe"], [*y, "zebras"]  # a class of one document
    monkeypatch.setattr("psif.classify.fitting._MOST_DOCS", 20)
    clf = PSIFClassifier(small_model(), random_state=0).fit(texts, y)
    assert clf.score(texts, y) > 0.95
    assert clf.classes_.tolist() == ["animals", "money", "ships", "zebras"]


def test_a_sample_has_every_class():
    from psif.classify.folds import sample_of_classes

    classes = np.array([0] * 50 + [1] * 50 + [2])
    rows = sample_of_classes(classes, 10, 0)
    assert len(rows) == 10
    assert set(classes[rows]) == {0, 1, 2}
    assert (np.diff(rows) > 0).all()
    assert len(sample_of_classes(np.arange(7), 3, 0)) == 7


def test_of_very_much_text_a_sample_teaches_the_words(monkeypatch):
    texts, y = make_texts(60)
    monkeypatch.setattr(estimator, "_MOST_CHARACTERS", sum(map(len, texts)) // 2)
    clf = PSIFClassifier(small_model(), random_state=0).fit(texts, y)
    assert clf.model_.n_docs_ == pytest.approx(30, abs=3)
    assert clf.score(texts, y) == 1
    again = PSIFClassifier(small_model(), pairs=False, random_state=0).fit(texts, y)
    assert again.score(texts, y) == 1
