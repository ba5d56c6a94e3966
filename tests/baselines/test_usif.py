import numpy as np
import pytest

from psif.baselines.usif import USIF, usif_constant
from tests.baselines.corpus import NEW, TEXTS, share, vector_of, word_vectors


def test_the_constant_by_hand():
    # Four words, length 2: a word is common above 1 - (3/4)^2 = 0.4375. One of four is, so
    # alpha = 1/4, Z = 2 and a = 0.75 / (0.25 * 2) = 1.5.
    assert usif_constant(np.array([0.7, 0.1, 0.1, 0.1]), 2) == pytest.approx(1.5)
    # Words that do not occur do not count.
    assert usif_constant(np.array([0.7, 0.1, 0.1, 0.1, 0.0]), 2) == pytest.approx(1.5)


@pytest.mark.parametrize("probs", [[0.25] * 4, [1.0], [0.5, 0.5]])
def test_the_constant_of_a_tiny_corpus_is_usable(probs):
    for length in (1, 5, 1000):
        assert 0 < usif_constant(np.array(probs), length) < np.inf


def slow_sentences(texts, a, scale):
    rows = []
    for text in texts:
        vectors = np.array([vector_of(w) for w in text.split()])
        if scale:
            vectors = vectors / np.linalg.norm(vectors, axis=0)
        weights = np.array([a / (0.5 * a + share(w)) for w in text.split()])
        rows.append((weights[:, None] * vectors).mean(axis=0))
    return np.array(rows)


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("m", [0, 1, 5])
def test_against_loops(scale, m):
    method = USIF(word_vectors(), length=3, n_removed=m, scale_dims=scale).fit(TEXTS)
    words = {w for t in TEXTS for w in t.split()}
    a = usif_constant(np.array([share(w) for w in words]), 3)
    _, sigma, directions = np.linalg.svd(slow_sentences(TEXTS, a, scale))
    expected = slow_sentences(NEW, a, scale)
    for i in range(m):
        lam = sigma[i] ** 2 / (sigma[:m] ** 2).sum()
        expected = expected - lam * np.outer(expected @ directions[i], directions[i])
    np.testing.assert_allclose(method.transform(NEW), expected, atol=1e-5)


def test_length_is_the_mean_length_by_default():
    mean = round(np.mean([len(text.split()) for text in TEXTS]))
    default = USIF(word_vectors()).fit(TEXTS)
    assert default.a_ == USIF(word_vectors(), length=mean).fit(TEXTS).a_
