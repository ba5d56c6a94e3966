"""The paired bootstrap, against numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from psif.evaluation.metrics.paired import paired_bootstrap


def test_a_method_that_is_never_worse():
    # Ten documents, the first method right on three more: a draw of ten shows no gain only when
    # all ten are among the other seven, with probability 0.7 ** 10; twice that is p.
    first, second = np.zeros(10, dtype=bool), np.zeros(10, dtype=bool)
    first[:3] = True
    found = paired_bootstrap(first, second, np.arange(10))
    assert found.difference == pytest.approx(30.0)
    assert found.n_documents == 10
    assert found.p == pytest.approx(2 * 0.7**10, abs=0.005)
    # The number of gains in a draw is binomial(10, 0.3).
    assert found.low == pytest.approx(10 * binom(10, 0.3).ppf(0.025))
    assert found.high == pytest.approx(10 * binom(10, 0.3).ppf(0.975))


def test_methods_that_agree_differ_by_nothing():
    right = np.array([True, False, True])
    found = paired_bootstrap(right, right, np.arange(3))
    assert found[:4] == (0.0, 0.0, 0.0, 1.0)


def test_all_decisions_of_a_document_are_drawn_together():
    # One document decided by a hundred seeds is one document: its decisions prove nothing more.
    first, second = np.ones(100, dtype=bool), np.zeros(100, dtype=bool)
    first[50:], second[50:] = False, True
    documents = np.repeat([0, 1], 50)
    found = paired_bootstrap(first, second, documents)
    assert found.n_documents == 2
    assert found.difference == 0
    assert (found.low, found.high) == (-100, 100)
    assert found.p == 1


def test_documents_weigh_by_their_decisions():
    # Document 0 has three decisions, all gained; document 1 has one, lost: (3 - 1) / 4.
    first = np.array([True, True, True, False])
    found = paired_bootstrap(first, ~first, np.array([0, 0, 0, 1]))
    assert found.difference == pytest.approx(50.0)


def test_a_clear_gain_has_the_smallest_p():
    right, wrong = np.ones(50, dtype=bool), np.zeros(50, dtype=bool)
    assert paired_bootstrap(right, wrong, np.arange(50)).p == pytest.approx(2e-4)
    assert paired_bootstrap(wrong, right, np.arange(50)).difference == -100
