"""Every peer that is installed has the same interface."""

import numpy as np
import pytest
from benchmarks.corpora import generated
from benchmarks.peers import NAMES, peer_class
from benchmarks.peers.model2vec import FOLDER, make_table
from benchmarks.peers.sgns_average import train_shared
from benchmarks.sizes import SIZES
from scipy.sparse import issparse

SIZE = SIZES["tiny"]
TEXTS = list(generated(150, n_words=40, vocabulary=260))
# A network and large presets say nothing new about the interface.
PEERS = [name for name in NAMES if name != "minilm" and not name.startswith("psif-")]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    if peer_class("sgns-average").skip_reason() is None:
        facts = train_shared(folder, TEXTS, epochs=1)
        assert facts["seconds"] > 0
    if peer_class("model2vec").skip_reason() is None:
        make_table(folder / FOLDER, SIZE)
    return folder


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PEERS)
def test_a_saved_peer_gives_the_same_vectors(name, workspace, tmp_path):
    kind = peer_class(name)
    assert kind.name == name
    reason = kind.skip_reason()
    if reason is not None:
        pytest.skip(reason)
    method = kind(workspace, SIZE)
    method.fit(TEXTS)
    method.save(tmp_path / "model")
    again = kind(workspace, SIZE)
    again.load(tmp_path / "model")
    some = TEXTS[:5]
    vectors, kept = (dense(peer.embed(some)) for peer in (method, again))
    assert vectors.shape == (5, vectors.shape[1])
    assert vectors.any(axis=1).all()
    if name != "doc2vec":  # gensim draws at random while it infers
        np.testing.assert_allclose(vectors, kept, atol=1e-5)
    assert method.earlier_seconds == again.earlier_seconds >= 0


def dense(vectors):
    return vectors.toarray() if issparse(vectors) else np.asarray(vectors)


def test_the_numpy_reference_is_the_algorithm(workspace):
    """Two words, one document: the sum over words of weight and outer product, by hand."""
    kind = peer_class("numpy-reference")
    if kind.skip_reason() is not None:
        pytest.skip(kind.skip_reason())
    method = kind(workspace, SIZE)
    method._words = ["cat", "dog"]
    matrix, codes = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([[0.5, 0.0], [1.0, 3.0]])
    method._prepare(matrix, codes, np.array([1.0, 0.1]))
    method._component = np.zeros(4)
    vectors = method.embed(["cat dog dog bird"])
    # cat: (0.5 0 | 0 0); dog: 0.1 (0 2 | 0 6), twice; over three known words.
    np.testing.assert_allclose(vectors, [[0.5 / 3, 0.4 / 3, 0.0, 1.2 / 3]], rtol=1e-6)
    method._component = np.array([1.0, 0.0, 0.0, 0.0])
    assert method.embed(["cat"]).tolist() == [[0.0, 0.0, 0.0, 0.0]]
