"""The average family against plain loops."""

import numpy as np
import pytest

from psif.baselines import make_method
from tests.baselines.corpus import NEW, TEXTS, idf, share, vector_of, word_vectors


def slow_average(texts, weight):
    return np.array(
        [np.mean([weight(w) * vector_of(w) for w in text.split()], axis=0) for text in texts]
    )


def without_first_component(documents, fitted):
    first = np.linalg.svd(fitted)[2][0]
    return documents - np.outer(documents @ first, first)


WEIGHTS = {
    "average": lambda w: 1.0,
    "tfidf-average": idf,
    "sif-w": lambda w: 1e-3 / (1e-3 + share(w)),
    "sif-r": lambda w: 1.0,
    "sif": lambda w: 1e-3 / (1e-3 + share(w)),
}


@pytest.mark.parametrize("name", WEIGHTS)
def test_against_loops(name):
    method = make_method(name, vectors=word_vectors()).fit(TEXTS)
    expected = slow_average(NEW, WEIGHTS[name])
    if name in ("sif", "sif-r"):
        expected = without_first_component(expected, slow_average(TEXTS, WEIGHTS[name]))
    np.testing.assert_allclose(method.transform(NEW), expected, atol=1e-5)


def test_the_psif_names_are_psif():
    gmm = make_method("psif-gmm", vectors=word_vectors(), n_topics=2, random_state=0)
    assert (gmm.partition, make_method("psif").partition) == ("gmm", "ksvd")
    plain, sif = (make_method(name).get_params() for name in ("psif-plain", "sif"))
    assert {name for name in sif if plain[name] != sif[name]} == {"n_topics"}
    over_doc2vecc = make_method("psif-doc2vecc")
    assert (over_doc2vecc.n_topics, over_doc2vecc.n_removed) == (20, 0)
