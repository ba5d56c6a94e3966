import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from psif.classify.linear import rare_columns
from psif.classify.linear.rare_columns import add_sparse_gram, split_columns


def features(n_docs, n_common, n_rare, seed):
    """Dense columns, then columns that are nonzero in one document each."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((n_docs, n_common + n_rare), dtype=np.float32)
    rows[:, :n_common] = rng.normal(size=(n_docs, n_common))
    for column in range(n_common, n_common + n_rare):
        rows[rng.integers(n_docs), column] = rng.normal()
    return rows


@settings(max_examples=30, deadline=None)
@given(
    n_docs=st.integers(60, 130),
    n_common=st.integers(0, 6),
    n_rare=st.integers(6, 20),
    seed=st.integers(0, 99),
)
def test_products_are_those_of_the_dense_matrices(n_docs, n_common, n_rare, seed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rare_columns, "_BLOCK", 50)
        documents = features(n_docs, n_common, n_rare, seed)
        queries = features(7, n_common, n_rare, seed + 1)
        parts = split_columns(documents)
        assert parts is not None
        assert int(parts.rare.sum()) == n_rare
        np.testing.assert_allclose(parts.products(queries), queries @ documents.T, atol=1e-5)
        np.testing.assert_allclose(parts.gram(), documents @ documents.T, atol=1e-5)
        sums = np.ones((n_docs, n_docs), dtype=np.float32)
        add_sparse_gram(csr_matrix(documents), sums)
        np.testing.assert_allclose(sums, 1 + documents @ documents.T, atol=1e-5)


def test_columns_stay_together_where_few_are_rare():
    # Rare: nonzero in fewer than 2 of 100 documents.
    assert split_columns(features(100, 6, 5, 0)) is None
    assert split_columns(csr_matrix(features(100, 2, 9, 0))) is None
