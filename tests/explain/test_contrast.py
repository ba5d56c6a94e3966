"""What tells two sets of documents apart."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import PSIF
from psif.explain.contrast import Space, contrast
from psif.runtime.norms import unit_rows
from tests import corpora

SETTINGS = {
    "full": {},
    "shared": {"shared_topic": 0.5, "codes": "nonnegative-unit", "n_removed": 0},
    "columns": {"word_columns": 0.4, "counts": "log"},
    "compact": {"n_dims": 6},
    "compact columns": {"n_dims": 6, "word_columns": 0.4},
}


@pytest.fixture(scope="module", params=list(SETTINGS))
def model(request):
    options = {"n_topics": 3, "n_dims": None, "random_state": 0, **SETTINGS[request.param]}
    return PSIF(corpora.vectors(), **options).fit(corpora.texts())


def told_apart(model, first, second, **options):
    space = Space(model.words_, model.components_, model.table_, model.word_columns_)
    names = [topic.name for topic in model.topics()]
    docs = (model.word_ids(first), model.word_ids(second))
    return contrast(space, model.vocabulary_.words, names, *docs, **options)


def plain_distance(model, first, second):
    """The mean of unit vectors of each set, and the squared distance of the two."""
    means = [
        unit_rows(model.transform(texts)).astype(np.float64).mean(axis=0)
        for texts in (first, second)
    ]
    return float(((means[0] - means[1]) ** 2).sum())


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_parts_sum_to_the_distance_of_the_means(model, data):
    texts = corpora.texts()
    some = st.lists(st.sampled_from(texts), min_size=1, max_size=8)
    first, second = data.draw(some), data.draw(some)
    found = told_apart(model, first, second)
    assert found.distance == pytest.approx(plain_distance(model, first, second), abs=1e-5)
    words = sum(share for _, share in found.first + found.second)
    assert words + found.other_words == pytest.approx(found.distance, abs=1e-9)
    topics = sum(topic.first + topic.second for topic in found.topics)
    assert topics == pytest.approx(found.distance, abs=1e-9)


def test_words_stand_on_the_side_that_has_more_of_them(model):
    sea, sky = (list(corpora.GROUPS[name]) for name in ("sea", "sky"))
    found = told_apart(model, [" ".join(sea)], [" ".join(sky)], n_words=4)
    assert {word for word, _ in found.first} <= set(sea)
    assert {word for word, _ in found.second} <= set(sky)
    assert found.first
    assert found.second
    turned = told_apart(model, [" ".join(sky)], [" ".join(sea)], n_words=4)
    assert [word for word, _ in turned.first] == [word for word, _ in found.second]


def test_a_set_does_not_differ_from_itself(model):
    texts = corpora.texts()[:5]
    found = told_apart(model, texts, texts)
    assert found.distance == pytest.approx(0, abs=1e-12)
    assert found.first == found.second == []
