import numpy as np
import pytest

from psif.baselines import make_method
from psif.evaluation.runner import shared_vectors as trained
from psif.evaluation.runner.shared_vectors import TrainedVectors
from tests import corpora

TEXTS = corpora.texts(80)
OPTIONS = {"dim": 8, "min_count": 2, "random_state": 3, "n_jobs": 1}


@pytest.fixture
def trainings(monkeypatch):
    made = []
    train = trained.WordVectors.train

    def counted(texts, method, **options):
        made.append((method, options))
        return train(texts, method, **options)

    monkeypatch.setattr(trained.WordVectors, "train", counted)
    return made


@pytest.mark.parametrize("method", ["psif", "bowv", "doc2vecc", "sif"])
def test_a_method_learns_the_same_from_the_table(method):
    options = OPTIONS | ({"n_topics": 3} if method in ("psif", "bowv") else {})
    expected = make_method(method, **options).fit_transform(TEXTS)
    given = make_method(method, **options)
    TrainedVectors().share(given, TEXTS)
    np.testing.assert_allclose(given.fit_transform(TEXTS), expected, atol=1e-6)


# "new" and "york" occur together only: as phrases they are one word, and no other.
CITIES = ["new york", *(f"{text} new york" for text in TEXTS[:40]), *TEXTS[40:]]


def test_phrases_are_words_of_the_shared_table():
    options = OPTIONS | {"n_topics": 3, "phrases": 1}
    expected = make_method("psif", **options).fit(CITIES)
    given = make_method("psif", **options)
    TrainedVectors().share(given, CITIES)
    assert "new_york" in given.vectors.words
    given.fit(CITIES)
    assert given.coverage_ == 1
    np.testing.assert_allclose(given.transform(CITIES), expected.transform(CITIES), atol=1e-6)
    assert given.similarity("new york", "new york") == pytest.approx(1)


def test_methods_with_the_same_texts_and_settings_share(trainings):
    tables = TrainedVectors()
    models = [make_method(name, **OPTIONS) for name in ("psif", "average", "wme")]
    for model in models:
        tables.share(model, list(TEXTS))
    assert len(trainings) == 1
    assert models[0].vectors is models[2].vectors
    for other in (
        {"vectors": "sgns"}, {"dim": 9}, {"min_count": 1}, {"random_state": 4},
        {"tokenizer": "paper"}, {"train_options": {"window": 3}}, {"phrases": 1},
    ):  # fmt: skip
        tables.share(make_method("psif", **{**OPTIONS, **other}), TEXTS)
    tables.share(make_method("psif", **OPTIONS), TEXTS[:-1])
    assert len(trainings) == 9


def test_tables_and_methods_without_vectors_stay_as_they_are(trainings):
    table = trained.WordVectors(["a"], np.ones((1, 2), dtype=np.float32))
    for model in (make_method("psif", vectors=table), make_method("tfidf")):
        TrainedVectors().share(model, TEXTS)
    assert trainings == []


def test_the_table_used_longest_ago_goes_first(trainings, monkeypatch):
    monkeypatch.setattr(trained, "_MOST_TABLES", 2)
    tables = TrainedVectors()
    for end in (80, 79, 80, 78, 80, 79):
        tables.share(make_method("sif", **OPTIONS), TEXTS[:end])
    assert len(trainings) == 4
