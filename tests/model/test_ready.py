from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pytest

import psif
from psif import PSIF, Embedder
from psif.vectors.ready import READY, ready_table


@pytest.fixture(scope="module")
def english():
    return psif.load("english")


def test_near_texts_are_nearer_than_far_ones(english):
    texts = [
        "A man is playing a guitar.",
        "Someone performs music on an instrument.",
        "The central bank raised interest rates.",
        "Borrowing money becomes more expensive.",
    ]
    scores = english.similarity(texts, texts)
    assert scores[0, 1] > max(scores[0, 2], scores[0, 3]) + 0.15
    assert scores[2, 3] > max(scores[2, 0], scores[2, 1]) + 0.15


def test_a_document_is_the_sum_of_its_words(english):
    words = ["dogs", "chase", "cats"]
    rows = [english.vocabulary_.index[word] for word in words]
    vector = english.encode("Dogs chase cats!")
    expected = ready_table("english").vectors[rows].sum(axis=0)
    cosine = vector @ expected / np.linalg.norm(vector) / np.linalg.norm(expected)
    assert cosine == pytest.approx(1, abs=1e-5)


def test_a_name_that_the_table_does_not_know_counts(english):
    assert "zqxwvut" not in english.vocabulary_.index
    same = english.similarity("I met zqxwvut today", "zqxwvut called me")
    other = english.similarity("I met zqxwvut today", "qqzzxxyy called me")
    assert same > other + 0.1


def test_the_shares_of_an_explanation_sum_to_the_score(english):
    a, b = "The doctor examined her patient.", "A physician looked after a sick woman."
    parts = english.explain(a, b).to_dict()
    total = sum(topic["share"] for topic in parts["topics"]) + parts["removed"]
    assert total == pytest.approx(parts["score"], abs=1e-6)
    assert parts["score"] == pytest.approx(english.similarity(a, b), abs=1e-5)
    best = {(pair["a"], pair["b"]) for pair in parts["pairs"][:4]}
    assert ("doctor", "physician") in best


def test_topics_and_senses_need_no_fit(english):
    topics = english.topics(n_words=5)
    assert len(topics) == english.n_topics_ >= 20
    assert all(len(topic.words) == 5 for topic in topics)
    assert english.senses("bank")
    shares = english.document_topics(["the patient took medicine", "the team won the match"])
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-5)


def test_it_is_saved_and_read_like_any_model(english, tmp_path):
    english.save(tmp_path / "model")
    again = psif.load(tmp_path / "model")
    texts = ["good morning", "the weather is fine", "zqxwvut"]
    np.testing.assert_allclose(again.transform(texts), english.transform(texts), atol=1e-6)


def test_scikit_learn_gets_its_own_class():
    model = PSIF.load("english")
    assert isinstance(model, PSIF)
    assert isinstance(psif.load("english"), Embedder)
    assert model.transform(["one text"]).shape == (1, 256)


def test_the_preset_takes_a_table_as_it_is(english):
    texts = ["cats purr", "dogs bark loudly", "the weather is fine today"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = PSIF.from_preset("sentences").fit(texts)
    ours, ready = model.similarity(texts, texts), english.similarity(texts, texts)
    np.testing.assert_allclose(ours, ready, atol=1e-4)


def test_a_folder_of_that_name_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    small = PSIF(n_topics=2, dim=2).fit(["cats purr", "dogs bark", "cats and dogs play"])
    small.save(tmp_path / "english")
    assert psif.load("english").vocabulary_.n_known < 10


def test_loading_needs_no_scikit_learn():
    code = "import psif, sys; psif.load('english'); print('sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_every_ready_model_has_a_checksum():
    for name, digest in READY.items():
        assert len(digest) == 64
        assert psif.load(name).checksum_ == digest
