import numpy as np
import pytest

from psif.errors import InputError
from psif.partitions.clusters import Clusters
from psif.partitions.dictionary import Dictionary
from psif.partitions.mixture import Mixture
from psif.partitions.selection import choose_n_topics, choose_partition, knee, make_partition
from psif.partitions.single import SinglePartition


def test_auto_is_a_mixture_for_sentences_and_a_dictionary_for_documents():
    assert choose_partition("auto", n_short=9, n_docs=10) == "gmm"
    assert choose_partition("auto", n_short=8, n_docs=10) == "ksvd"
    assert choose_partition("kmeans", n_short=1, n_docs=1) == "kmeans"
    with pytest.raises(InputError, match="ksvd, gmm, kmeans, auto; got 'svd'"):
        choose_partition("svd", n_short=1, n_docs=1)


@pytest.mark.parametrize(
    ("name", "n_topics", "kind"),
    [
        ("ksvd", 3, Dictionary),
        ("gmm", 3, Mixture),
        ("kmeans", 3, Clusters),
        ("ksvd", 1, SinglePartition),
        ("gmm", 1, SinglePartition),
    ],
)
def test_make_partition(name, n_topics, kind):
    made = make_partition(name, n_topics, n_active=None, random_state=0, n_jobs=1)
    assert type(made) is kind


def test_knee_by_hand():
    # The curve falls steeply to x = 2 and then hardly at all.
    assert knee(np.array([1, 2, 3, 4]), np.array([10.0, 2.0, 1.5, 1.0])) == 1
    assert knee(np.array([1, 2, 3]), np.array([1.0, 1.0, 1.0])) == 0


def test_auto_topics_finds_about_as_many_as_the_data_has():
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((15, 30)).astype(np.float32)
    labels = rng.integers(0, 15, 600)
    vectors = centres[labels] + 0.01 * rng.standard_normal((600, 30)).astype(np.float32)
    chosen, losses = choose_n_topics(vectors)
    assert list(losses) == [5, 10, 15, 20, 30, 40, 60]
    assert 10 <= chosen <= 20
    assert losses[15] < losses[5]


def test_auto_topics_on_a_tiny_vocabulary():
    assert choose_n_topics(np.ones((3, 2), dtype=np.float32)) == (1, {})
