import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from psif.classify.linear.losses import LOSSES, find_loss
from psif.classify.linear.newton import solve
from psif.classify.linear.preconditioner import DualNystromPreconditioner, NystromPreconditioner
from psif.classify.linear.primal_dual import (
    Dual,
    PreconditionedPrimal,
    Primal,
    choose_form,
)
from psif.errors import InputError


def sampled(features):
    """Preconditioned by half of the documents and at most four directions."""
    return Primal(features, NystromPreconditioner(features, len(features) // 2 + 1, rank=4))


def sampled_dual(features):
    return Dual(features, rank=4)


FORMS = [Dual, sampled_dual, Primal, PreconditionedPrimal, sampled]


def make_data(n_docs, n_features, n_columns=3, seed=0):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n_docs, n_features))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    return features, np.where(rng.random((n_docs, n_columns)) < 0.4, 1.0, -1.0)


def reference(loss, features, targets, C):
    """liblinear, column by column; of squares, the normal equations."""
    if loss == "squares":
        with_one = np.column_stack([features, np.ones(len(features))])
        products = with_one.T @ with_one + np.eye(with_one.shape[1]) / (2 * C)
        return np.linalg.solve(products, with_one.T @ targets)
    columns = []
    for column in targets.T:
        if loss == "squared_hinge":
            model = LinearSVC(C=C, tol=1e-9, max_iter=100_000, dual=features.shape[0] < 100)
        else:
            model = LogisticRegression(C=C, tol=1e-9, solver="liblinear", max_iter=10_000)
        model.fit(features, column)
        columns.append(np.append(model.coef_[0], model.intercept_))
    return np.array(columns).T


def fit(form, targets, C, loss, **options):
    masks = options.pop("masks", np.ones_like(targets))
    return solve(
        form, targets, masks, np.full(targets.shape[1], float(C)), find_loss(loss), **options
    )


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("shape", [(60, 90), (150, 20)])
@pytest.mark.parametrize("C", [0.1, 10])
def test_weights_are_those_of_liblinear(loss, shape, C):
    features, targets = make_data(*shape)
    expected = reference(loss, features, targets, C)
    for kind in FORMS:
        form = kind(features)
        found = form.weights(fit(form, targets, C, loss, tol=1e-14).unknowns)
        np.testing.assert_allclose(found, expected, atol=2e-5 * np.abs(expected).max())


@pytest.mark.parametrize("loss", LOSSES)
def test_sparse_features_give_the_same_weights(loss):
    features, targets = make_data(50, 30)
    features[features < 0.1] = 0
    for kind in (Dual, Primal):
        dense, thin = kind(features), kind(sparse.csr_array(features))
        expected = dense.weights(fit(dense, targets, 1, loss, tol=1e-14).unknowns)
        found = thin.weights(fit(thin, targets, 1, loss, tol=1e-14).unknowns)
        np.testing.assert_allclose(found, expected, atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 25), st.integers(1, 12), st.sampled_from(list(LOSSES)), st.integers(0, 10**6))
def test_a_masked_document_is_as_if_it_were_not_there(n_docs, n_features, loss, seed):
    features, targets = make_data(n_docs, n_features, 2, seed)
    masks = (np.random.default_rng(seed).random(targets.shape) < 0.7).astype(float)
    masks[0] = 1
    for kind in FORMS:
        form = kind(features)
        together = form.weights(fit(form, targets, 3, loss, tol=1e-13, masks=masks).unknowns)
        for j in range(2):
            rows = masks[:, j] > 0
            alone = kind(features[rows])
            solution = fit(alone, targets[rows][:, [j]], 3, loss, tol=1e-13)
            expected = alone.weights(solution.unknowns)[:, 0]
            np.testing.assert_allclose(together[:, j], expected, atol=1e-5)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 30), st.integers(1, 15), st.sampled_from(list(LOSSES)), st.integers(0, 9**6))
def test_both_spaces_reach_the_same_minimum(n_docs, n_features, loss, seed):
    features, targets = make_data(n_docs, n_features, 2, seed)
    plain = Primal(features)
    expected = plain.weights(fit(plain, targets, 5, loss, tol=1e-13).unknowns)
    for gram in (Dual(features), sampled_dual(features)):
        found = fit(gram, targets, 5, loss, tol=1e-13)
        np.testing.assert_allclose(gram.weights(found.unknowns), expected, atol=1e-5)
        np.testing.assert_allclose(found.scores, gram.scores(found.unknowns), atol=1e-8)


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 30), st.integers(1, 15), st.integers(1, 6), st.integers(0, 9**6))
def test_the_dual_preconditioner_is_the_one_of_the_features(n_docs, n_features, rank, seed):
    """In w both are the same matrix, which is applied here to weights that the documents span."""
    features, targets = make_data(n_docs, n_features, 2, seed)
    rng = np.random.default_rng(seed)
    ridge, curvature = rng.uniform(0.1, 2, 2), rng.uniform(0, 2, targets.shape)
    form = Dual(features)
    residual = rng.normal(size=targets.shape)
    gram = form.scores(np.eye(n_docs))
    vectors, images = DualNystromPreconditioner(gram, n_docs - 1, rank)(
        residual, gram @ residual, ridge, curvature
    )
    expected = NystromPreconditioner(features, n_docs - 1, rank)(
        form.weights(residual), ridge, curvature
    )
    np.testing.assert_allclose(form.weights(vectors), expected, atol=1e-8)
    np.testing.assert_allclose(images, gram @ vectors, atol=1e-8)


def test_the_preconditioner_saves_products():
    """One direction far stronger than the others costs conjugate gradients many steps."""
    features, targets = make_data(300, 400)
    features *= np.geomspace(30, 0.1, 400)
    plain, helped = (
        fit(Dual(features, rank=rank), targets, 1, "squares", tol=1e-8).n_products
        for rank in (0, 60)
    )
    assert helped < 0.7 * plain


def test_a_start_from_elsewhere_ends_at_the_same_place():
    features, targets = make_data(40, 60)
    form = Dual(features)
    near = fit(form, targets, 1, "squared_hinge")
    cold = fit(form, targets, 4, "squared_hinge", tol=1e-13)
    warm = fit(form, targets, 4, "squared_hinge", tol=1e-13, start=near.unknowns)
    np.testing.assert_allclose(form.weights(warm.unknowns), form.weights(cold.unknowns), atol=1e-5)


def test_the_tolerance_bounds_the_objective():
    features, targets = make_data(80, 40)
    form = Primal(features)

    def objective(solution):
        losses = LOSSES["squared_hinge"].value(targets, solution.scores).sum(axis=0)
        return 0.5 * np.square(solution.unknowns).sum(axis=0) + 10 * losses

    exact = objective(fit(form, targets, 10, "squared_hinge", tol=1e-14))
    rough = objective(fit(form, targets, 10, "squared_hinge", tol=0.05))
    assert (rough >= exact - 1e-9).all()
    assert (rough <= exact / (1 - 0.05)).all()
    assert (rough > exact * (1 + 1e-9)).any()  # or the tolerance would do nothing


def test_single_precision_agrees_with_double():
    features, targets = make_data(100, 150)
    single, double = Dual(features.astype(np.float32)), Dual(features)
    found = fit(single, targets.astype(np.float32), 5, "logistic", tol=1e-6)
    assert found.unknowns.dtype == np.float32
    expected = fit(double, targets, 5, "logistic", tol=1e-12)
    np.testing.assert_allclose(found.scores, expected.scores, atol=5e-3)


def test_one_document_and_two_columns_by_hand():
    # x = 1 and the constant 1: f = 2w. Minimise w² + C (1 - 2w)²: w = 2C / (1 + 4C).
    form = Primal(np.ones((1, 1)))
    found = fit(form, np.array([[1.0, -1.0]]), 0.5, "squared_hinge", tol=1e-14)
    np.testing.assert_allclose(found.unknowns, [[1 / 3, -1 / 3], [1 / 3, -1 / 3]], rtol=1e-6)


def test_the_cheaper_space_is_chosen():
    assert isinstance(choose_form(np.ones((10, 5))), Dual)
    assert isinstance(choose_form(np.ones((11, 5))), PreconditionedPrimal)
    # Sparse features: few entries make products with them cheaper than with a Gram matrix.
    thin = sparse.random_array((600, 900), density=0.001, format="csr", rng=0)
    assert isinstance(choose_form(thin), Primal)
    thick = sparse.random_array((600, 900), density=0.5, format="csr", rng=0)
    assert isinstance(choose_form(thick), Dual)


def test_an_unknown_loss_is_refused():
    with pytest.raises(InputError, match="no loss is called 'hinge'; there are squared_hinge"):
        find_loss("hinge")


@pytest.mark.parametrize("n_rare", [0, 10, 200])
def test_columns_that_few_documents_have_change_no_product(n_rare):
    rng = np.random.default_rng(1)
    features = np.hstack([rng.normal(size=(150, 12)), np.zeros((150, n_rare))])
    for column in range(12, 12 + n_rare):
        features[rng.integers(0, 150, 2), column] = rng.normal(size=2)
    form = Dual(features)
    np.testing.assert_allclose(form.scores(np.eye(150)), features @ features.T + 1, atol=1e-12)
