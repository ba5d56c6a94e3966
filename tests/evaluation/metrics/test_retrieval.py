import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import average_precision_score

from psif.evaluation.metrics import retrieval
from psif.evaluation.metrics.clustering import clustering_metrics
from psif.evaluation.metrics.retrieval import average_precision, retrieval_metrics


def unit(rng, n_docs, dim=4):
    rows = rng.normal(size=(n_docs, dim))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def naive(queries, documents, query_labels, document_labels):
    """One query at a time, with plain lists."""
    first, ten, precisions, right = [], [], [], []
    for query, label in zip(queries, query_labels, strict=True):
        cosines = [float(query @ document) for document in documents]
        order = sorted(range(len(documents)), key=lambda i: -cosines[i])
        hits = [document_labels[i] == label for i in order]
        first.append(hits[0])
        ten.append(sum(hits[:10]) / 10)
        precisions.append(average_precision_score(document_labels == label, cosines))
        votes = {}
        for i in order[:10]:
            count, near = votes.get(document_labels[i], (0, 0.0))
            votes[document_labels[i]] = (count + 1, near + cosines[i])
        right.append(max(votes, key=votes.get) == label)
    return [100 * np.mean(values) for values in (first, ten, precisions, right)]


@pytest.mark.parametrize("block", [3, 256])
def test_agrees_with_one_query_at_a_time(monkeypatch, block):
    monkeypatch.setattr(retrieval, "_BLOCK", block)
    rng = np.random.default_rng(3)
    queries, documents = unit(rng, 17), unit(rng, 40)
    query_labels, document_labels = rng.integers(0, 3, 17), rng.integers(0, 3, 40)
    expected = naive(queries, documents, query_labels, document_labels)
    found = retrieval_metrics(queries, documents, query_labels, document_labels)
    assert list(found.values()) == pytest.approx(expected)
    thin = retrieval_metrics(
        sparse.csr_array(queries), sparse.csr_array(documents), query_labels, document_labels
    )
    assert thin == pytest.approx(found)


def test_columns_of_exact_words_change_nothing():
    rng = np.random.default_rng(4)
    queries, documents = unit(rng, 5, 30), unit(rng, 80, 30)
    # Most columns are nonzero in one document: they are multiplied as sparse ones.
    documents[:, 4:] *= np.arange(80)[:, None] == np.arange(26)
    query_labels, document_labels = rng.integers(0, 3, 5), rng.integers(0, 3, 80)
    found = retrieval_metrics(queries, documents, query_labels, document_labels)
    expected = naive(queries, documents, query_labels, document_labels)
    assert list(found.values()) == pytest.approx(expected)


def test_average_precision_by_hand():
    # Relevant at places 1 and 3: (1 + 2/3) / 2. None relevant: 0.
    hits = np.array([[True, False, True], [False, False, False]])
    np.testing.assert_allclose(average_precision(hits), [5 / 6, 0])


def test_clusters_far_apart_are_found():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 10)
    apart = np.eye(3)[labels] + 0.01 * rng.normal(size=(30, 3))
    assert clustering_metrics(apart, labels) == pytest.approx(
        {"V-measure": 100, "NMI": 100, "ARI": 100}
    )
    mixed = clustering_metrics(apart, np.tile([0, 1, 2], 10))
    assert all(value < 20 for value in mixed.values())
