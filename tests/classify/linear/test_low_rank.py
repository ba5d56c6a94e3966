import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from psif.classify.linear import primal_dual as forms
from psif.classify.linear.losses import find_loss
from psif.classify.linear.low_rank import row_axes
from psif.classify.linear.newton import solve
from psif.classify.linear.preconditioner import NystromPreconditioner
from psif.classify.linear.primal_dual import PreconditionedPrimal, Primal, choose_form
from psif.classify.linear.selection import fit_linear


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(forms, "RANKS", (16, 64))
    monkeypatch.setattr(forms, "_MOST_FACTORED", 64)
    monkeypatch.setattr(forms, "MOST_DOCS", 0)


def of_rank(rank, n_docs=400, n_features=150, seed=0, dtype=np.float32):
    rng = np.random.default_rng(seed)
    made = rng.normal(size=(n_docs, rank)) @ rng.normal(size=(rank, n_features))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(dtype)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.integers(1, 45), st.integers(0, 5))
def test_axes_span_all_rows(rank, seed):
    features = of_rank(rank, seed=seed)
    axes = row_axes(features, 64)
    assert axes.shape == (150, rank)
    np.testing.assert_allclose(axes.T @ axes, np.eye(rank), atol=1e-3)
    np.testing.assert_allclose(features @ axes @ axes.T, features, atol=1e-3)


def test_a_large_rank_has_no_axes():
    assert row_axes(of_rank(100), 64) is None
    assert row_axes(np.zeros((300, 150), dtype=np.float32), 64) is None


def test_a_rare_direction_is_not_lost():
    features = of_rank(5)
    features[17] = 0
    features[17, 3] = 1
    axes = row_axes(features, 64)
    np.testing.assert_allclose(features[17] @ axes @ axes.T, features[17], atol=1e-3)


def test_the_classifier_is_that_of_the_features_themselves(monkeypatch):
    features = of_rank(20, dtype=np.float64)
    targets = features[:, :3] > 0
    assert isinstance(choose_form(features), PreconditionedPrimal)
    found = fit_linear(features, targets, losses=["squared_hinge"], grid=[1.0], tol=1e-10)
    monkeypatch.setattr(forms, "row_axes", lambda *_: None)
    assert isinstance(choose_form(features[:, :60]), PreconditionedPrimal)
    assert type(choose_form(features)) is Primal
    expected = fit_linear(features, targets, losses=["squared_hinge"], grid=[1.0], tol=1e-10)
    np.testing.assert_allclose(found.decide(features), expected.decide(features), atol=1e-5)
    np.testing.assert_allclose(found.weights, expected.weights, atol=1e-5)


def test_preconditioners_save_products():
    rng = np.random.default_rng(0)
    # Axes of very different lengths, and a mean far from zero.
    features = rng.normal(size=(400, 40)) * np.logspace(0, -3, 40) + 0.5
    signs = np.where(rng.random((400, 3)) < 0.3, 1.0, -1.0)
    plain, preconditioned, sampled = (
        solve(
            form,
            signs,
            np.ones_like(signs),
            np.full(3, 100.0),
            find_loss("logistic"),
            tol=1e-8,
        )
        for form in (
            Primal(features),
            PreconditionedPrimal(features),
            Primal(features, NystromPreconditioner(features, n_rows=100, rank=20)),
        )
    )
    for better in (preconditioned, sampled):
        np.testing.assert_allclose(better.scores, plain.scores, atol=1e-2)
        assert better.n_products < 0.6 * plain.n_products
