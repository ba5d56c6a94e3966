"""The model without scikit-learn is the estimator's twin."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone

from psif import PSIF, Embedder, PsifError
from tests import corpora

SETTINGS = {"n_topics": 3, "dim": 6, "min_count": 1, "random_state": 0}


@pytest.mark.parametrize("n_dims", [None, 4])
def test_both_learn_and_save_the_same(tmp_path, n_dims):
    models = [kind(n_dims=n_dims, **SETTINGS) for kind in (Embedder, PSIF)]
    first, second = (model.fit_transform(corpora.texts()) for model in models)
    np.testing.assert_array_equal(first, second)
    for model, name in zip(models, "ab", strict=True):
        model.save(tmp_path / name)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name


@pytest.mark.parametrize("saver", [Embedder, PSIF])
@pytest.mark.parametrize("reader", [Embedder, PSIF])
def test_each_loads_what_either_saved(tmp_path, saver, reader):
    model = saver(**SETTINGS).fit(corpora.texts())
    model.save(tmp_path / "m")
    loaded = reader.load(tmp_path / "m")
    assert type(loaded) is reader
    new = ["ship wave of the tide", "bread and cloud"]
    np.testing.assert_array_equal(loaded.transform(new), model.transform(new))
    assert loaded.similarity(*new) == model.similarity(*new)
    assert loaded.explain(*new).to_dict() == model.explain(*new).to_dict()
    assert loaded.topics() == model.topics()
    np.testing.assert_array_equal(loaded.document_topics(new), model.document_topics(new))


def test_settings_are_the_estimators_parameters():
    model = PSIF(n_topics=7, a=0.5)
    assert model.settings == model.get_params(deep=False)
    assert list(model.settings) == list(model.get_params())
    assert inspect.signature(Embedder) == inspect.signature(PSIF)
    assert Embedder.from_preset("paper").settings == PSIF.from_preset("paper").settings


def test_settings_of_a_subclass_are_its_own():
    class Fewer(Embedder):
        def __init__(self, n_topics=2):
            super().__init__(n_topics=n_topics)

    assert Fewer(5).settings == {"n_topics": 5}


def test_only_the_estimator_speaks_scikit_learn():
    assert not hasattr(Embedder(), "get_params")
    assert clone(PSIF(n_topics=3)).n_topics == 3


def test_an_unfitted_model_says_so():
    with pytest.raises(
        PsifError, match=r"this Embedder model is not fitted yet; call fit\(texts\)"
    ):
        Embedder().transform(["text"])
