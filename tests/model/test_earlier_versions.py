"""Models that version 0.1 saved, with the vectors that it gave."""

import json
from pathlib import Path

import numpy as np
import pytest

from psif import PSIF, Embedder

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
