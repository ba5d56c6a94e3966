"""scikit-learn's own checks.

They feed tables of numbers, so a thin adapter turns each row into a text: column j becomes the
word "c<j>", repeated as often as its rank asks. What does not fit raw text is named one by one.
"""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import check_array, validate_data

from psif import PSIF


class OverNumbers(PSIF):
    """PSIF behind an adapter from number tables to texts."""

    def fit(self, X, y=None):
        return super().fit(self._texts(X, reset=True), y)

    def fit_transform(self, X, y=None):
        return super().fit_transform(self._texts(X, reset=True), y)

    def transform(self, X):
        self._check_fitted()
        return super().transform(self._texts(X, reset=False))

    def _texts(self, X, reset):
        X = validate_data(self, X, reset=reset, ensure_min_samples=2 if reset else 1)
        check_array(X)
        scaled = np.clip(np.round(np.abs(X)), 0, 20).astype(int) + 1
        return [" ".join(f"c{j} " * n for j, n in enumerate(row)) for row in scaled]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = False
        tags.input_tags.two_d_array = True
        return tags


EXPECTED_TO_FAIL = {
    # A table of one column becomes a corpus of one word.
    "check_fit2d_1feature": "a corpus of one word has no neighbours to learn a vector from",
}


@parametrize_with_checks(
    [OverNumbers(n_topics=2, dim=2, random_state=0)],
    expected_failed_checks=lambda _: EXPECTED_TO_FAIL,
)
@pytest.mark.filterwarnings("ignore::psif.PsifWarning")
def test_over_numbers(estimator, check):
    check(estimator)


with warnings.catch_warnings():
    # Beyond the general checks scikit-learn can test number tables only, and says so.
    warnings.simplefilter("ignore", SkipTestWarning)
    checks_over_texts = parametrize_with_checks([PSIF(n_topics=2)])


@checks_over_texts
def test_over_texts(estimator, check):
    check(estimator)
