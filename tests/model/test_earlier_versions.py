"""Models that version 0.1 saved, with the vectors that it gave."""

import json
from pathlib import Path

import numpy as np
import pytest

from psif import PSIF, Embedder
from tests import corpora

SAVED = Path(__file__).parent / "saved_0_1"
EXPECTED = json.loads((SAVED / "expected.json").read_text(encoding="utf-8"))
TEXTS = ["the plane left the harbour", "fresh bread on deck"]


@pytest.mark.parametrize("kind", [PSIF, Embedder])
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_models_of_version_0_1_give_their_vectors(kind, name):
    model = kind.load(SAVED / name)
    # One of them was saved with dtype="float16", which rounded what transform returned.
    tolerance = 1e-3 if name == "words-compact" else 1e-7
    np.testing.assert_allclose(model.transform(TEXTS), EXPECTED[name], atol=tolerance)


def test_settings_of_version_0_1_have_their_new_names():
    model = PSIF.load(SAVED / "words-compact")
    assert (model.word_columns, model.shared_topic, model.smoothing) == (0.3, 0.5, "documents")
    model = PSIF.load(SAVED / "buckets")
    assert model.train_options == {"max_words": 30, "max_doc_share": 0.9}
    assert model.smoothing == "none"


def test_saved_again_they_are_the_same(tmp_path):
    for name in EXPECTED:
        model = PSIF.load(SAVED / name)
        model.save(tmp_path / name)
        again = PSIF.load(tmp_path / name)
        np.testing.assert_array_equal(again.transform(TEXTS), model.transform(TEXTS))
        assert again.settings.keys() == model.settings.keys()


def test_the_preset_of_the_paper_never_changes():
    """Settings and vectors of ``from_preset("paper")`` as they were before the defaults changed."""
    model = PSIF.from_preset("paper")
    expected = {
        "vectors": "sgns", "dim": 200, "train_options": {"window": 10, "negative": 10},
        "min_count": 20, "tokenizer": "paper", "word_norm": "none", "n_topics": 40,
        "n_active": None, "partition": "ksvd", "codes": "signed", "shared_topic": 0.0,
        "word_columns": 0.0, "unknown": "skip", "smoothing": "none", "phrases": 0,
        "weighting": "sif", "a": 1e-3, "frequencies": "corpus", "counts": "raw", "n_removed": 1,
        "n_dims": None, "normalize": False, "random_state": None, "n_jobs": None,
    }  # fmt: skip
    assert model.get_params() == expected
    small = PSIF.from_preset("paper", min_count=1, dim=8, n_topics=4, n_jobs=1, random_state=0)
    vectors = small.fit_transform(corpora.texts())
    assert vectors.shape == (60, 32)
    first = [0.0007981418, 0.0001521869, -0.0008763073, -2.80393e-05, 0.0006477208, 0.0003202879]
    np.testing.assert_allclose(vectors[0, :6], first, atol=1e-8)
    assert np.abs(vectors).sum() == pytest.approx(0.462960988, rel=1e-5)
