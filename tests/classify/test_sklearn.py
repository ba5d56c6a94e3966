"""scikit-learn's checks of a classifier, through an adapter from number tables to texts."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import check_X_y, validate_data

from psif import PSIFClassifier
from tests.classify.conftest import small_model


class OverNumbers(PSIFClassifier):
    """PSIFClassifier over texts that name the rounded numbers of each row."""

    def fit(self, X, y):
        if y is not None:
            check_X_y(X, y, ensure_min_samples=2)
        X = validate_data(self, X, ensure_min_samples=2)
        return super().fit(self._texts(X), y)

    def _word_ids(self, X):
        self._check_fitted()
        return super()._word_ids(self._texts(validate_data(self, X, reset=False)))

    def score(self, X, y, sample_weight=None):
        return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))

    def _texts(self, X):
        return [" ".join(f"c{j}v{round(2 * x)}" for j, x in enumerate(row)) for row in X]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = False
        tags.input_tags.two_d_array = True
        tags.classifier_tags.poor_score = True
        return tags


EXPECTED_TO_FAIL = {
    # A table of one column becomes a corpus of texts of one word.
    "check_fit2d_1feature": "texts of one word have no neighbours to learn a vector from",
}


@parametrize_with_checks(
    [OverNumbers(small_model(n_topics=2, dim=2), random_state=0)],
    expected_failed_checks=lambda _: EXPECTED_TO_FAIL,
)
@pytest.mark.filterwarnings("ignore::psif.PsifWarning")
def test_over_numbers(estimator, check):
    check(estimator)


with warnings.catch_warnings():
    # Beyond the general checks scikit-learn can test number tables only, and says so.
    warnings.simplefilter("ignore", SkipTestWarning)
    checks_over_texts = parametrize_with_checks([PSIFClassifier(small_model())])


@checks_over_texts
def test_over_texts(estimator, check):
    check(estimator)
