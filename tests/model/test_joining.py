"""A small corpus of English is joined with the table inside the package."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import psif
from psif import PSIF, Embedder
from psif.errors import EmptyDocumentsWarning
from psif.model import joining
from psif.text.buckets import N_BUCKETS
from psif.text.tokenizer import Tokenizer
from psif.vectors.hashed import hashed_vectors
from psif.vectors.ready import ready_table

TICKETS = [
    "The printer on the third floor is jammed again and prints nothing.",
    "I cannot log in to the zyqor portal, my password is refused.",
    "The zyqor portal refuses my login since this morning.",
    "The invoice was charged twice, please refund the amount.",
    "Refund of the invoice has not arrived in my account.",
    "The printer is out of paper and out of toner.",
]
GERMAN = [
    "Der Drucker im dritten Stock ist schon wieder verstopft und druckt nichts.",
    "Ich kann mich nicht anmelden, mein Kennwort wird abgelehnt.",
    "Die Rechnung wurde zweimal abgebucht, bitte erstatten Sie den Betrag.",
]


@pytest.fixture(scope="module")
def model():
    return PSIF(random_state=0).fit(TICKETS)


@pytest.fixture(scope="module")
def english():
    return psif.load("english")


def quiet_fit(texts, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return PSIF(random_state=0, **settings).fit(texts)


def test_the_fit_says_which_it_did(model):
    assert model.vectors_ == "english"
    assert quiet_fit(TICKETS, vectors="ppmi").vectors_ == "ppmi"
    assert quiet_fit(TICKETS, n_topics=2).vectors_ == "ppmi"
    assert quiet_fit(TICKETS, vectors="english").vectors_ == "given"


def test_words_that_the_corpus_lacks_are_known(model):
    near = model.similarity("my username does not work", "the website rejects my credentials")
    far = model.similarity("my username does not work", "the tomatoes are ripe")
    assert near > far + 0.15


def test_a_word_outside_the_table_means_what_its_documents_say(model, english):
    assert "zyqor" not in ready_table("english").words
    near, far = "I forgot my password", "no paper in the printer"
    assert model.similarity("zyqor", near) > model.similarity("zyqor", far) + 0.05
    assert abs(english.similarity("zyqor", near) - english.similarity("zyqor", far)) < 0.2


def naive_vectors(texts, k):
    """The formula of the module, word by word in plain Python."""
    table, tokens = ready_table("english"), [Tokenizer()(text) for text in texts]
    rows = {word: row for row, word in enumerate(table.words)}
    words = sorted({word for doc in tokens for word in doc})
    start, weight = {}, {}
    for word in words:
        if word in rows:
            row = table.vectors[rows[word]].astype(np.float64)
            length = np.linalg.norm(row)
            start[word] = row / length
        else:
            length = table.facts["bucket_length"]
            start[word] = hashed_vectors([word], table.vectors.shape[1])[0].astype(np.float64)
        n_with = sum(word in doc for doc in tokens)
        weight[word] = length * np.sqrt(np.log((1 + len(texts)) / (1 + n_with)) + 1)
    docs = []
    for doc in tokens:
        total = sum((1 + np.log(doc.count(w))) * weight[w] * start[w] for w in set(doc))
        docs.append(total / np.linalg.norm(total))
    mean = np.mean(docs, axis=0)
    moved = {}
    for word in words:
        having = [x - mean for x, doc in zip(docs, tokens, strict=True) if word in doc]
        moved[word] = (k * start[word] + np.sum(having, axis=0)) / (k + len(having))
    return weight, moved


def test_vectors_and_weights_are_those_of_the_formula(model):
    weight, moved = naive_vectors(TICKETS, joining._EVIDENCE)
    index = model.vocabulary_.index
    for word in weight:
        assert model.words_.weights[index[word]] == pytest.approx(weight[word], rel=1e-5)
        np.testing.assert_allclose(model.words_.vectors[index[word]], moved[word], atol=2e-6)


def test_words_that_the_corpus_lacks_stay_as_they_are(model, english):
    index = model.vocabulary_.index
    same, other = index["tomatoes"], english.vocabulary_.index["tomatoes"]
    np.testing.assert_allclose(model.words_.vectors[same], english.words_.vectors[other], atol=1e-6)
    np.testing.assert_array_equal(model.words_.codes[same], english.words_.codes[other])


def test_more_documents_of_a_word_count_more():
    texts = ["the bank of the river", "the river floods the bank", "the tide and the river"]
    few = PSIF(random_state=0).fit([*texts, "money market news"])
    many = PSIF(random_state=0).fit([*texts * 8, *["money market news"] * 8])
    other = psif.load("english").vocabulary_.index["bank"]
    table = psif.load("english").words_.vectors[other]

    def turn(model):
        row = model.words_.vectors[model.vocabulary_.index["bank"]]
        return 1 - row @ table / np.linalg.norm(row)

    assert turn(many) > 2 * turn(few) > 0


def test_the_shares_of_an_explanation_sum_to_the_score(model):
    a, b = "The zyqor password is refused.", "I cannot log in to the portal."
    parts = model.explain(a, b).to_dict()
    assert sum(t["share"] for t in parts["topics"]) == pytest.approx(parts["score"], abs=1e-6)
    pairs = sum(pair["share"] for pair in parts["pairs"]) + parts["other_pairs"]
    assert pairs == pytest.approx(parts["score"], abs=1e-6)
    assert parts["score"] == pytest.approx(model.similarity(a, b), abs=1e-5)


def test_it_is_saved_and_read(model, tmp_path):
    model.save(tmp_path / "model")
    again = Embedder.load(tmp_path / "model")
    assert again.vectors_ == "english"
    assert again.table_ is again.words_.vectors
    texts = [*TICKETS, "unheardof words here"]
    np.testing.assert_array_equal(again.transform(texts), model.transform(texts))
    assert again.explain(*TICKETS[:2]).to_dict() == model.explain(*TICKETS[:2]).to_dict()
    assert again.topic_names_ == model.topic_names_


def test_topics_groups_and_senses_work(model):
    assert len(model.topics()) == model.n_topics_
    assert {a.topic for a in model.assign_topics(TICKETS)} <= set(range(model.n_topics_))
    assert model.senses("bank")
    assert model.transform(TICKETS).shape == (len(TICKETS), model.n_features_out_)
    assert len(model.vocabulary_) == model.vocabulary_.n_known + N_BUCKETS


def test_threads_and_order_of_reading_change_nothing(model):
    other = PSIF(random_state=0, n_jobs=1).fit(iter(TICKETS))
    np.testing.assert_array_equal(other.words_.vectors, model.words_.vectors)
    np.testing.assert_array_equal(other.words_.codes, model.words_.codes)


def test_another_language_learns_from_its_corpus_alone():
    model = quiet_fit(GERMAN)
    assert model.vectors_ == "ppmi"
    np.testing.assert_array_equal(
        model.transform(GERMAN), quiet_fit(GERMAN, vectors="ppmi").transform(GERMAN)
    )


def test_a_larger_corpus_learns_from_itself(monkeypatch):
    monkeypatch.setattr(joining, "MOST_TOKENS", 20)
    assert quiet_fit(TICKETS).vectors_ == "ppmi"
    assert quiet_fit(TICKETS[:1]).vectors_ == "english"


def test_one_question_is_a_corpus():
    model = PSIF(random_state=0).fit(["Where is my invoice?"])
    assert model.vectors_ == "english"
    assert model.similarity("invoice", "bill") > model.similarity("invoice", "tomato")


def test_documents_without_words_are_zero():
    model = PSIF(random_state=0).fit([*TICKETS, "", "..."])
    assert model.n_empty_ == 2
    with pytest.warns(EmptyDocumentsWarning):
        assert not model.transform(["..."]).any()
