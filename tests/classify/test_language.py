"""What words mean in their language, as a part of documents."""

import numpy as np
import pytest

from psif import PSIFClassifier, Tokenizer
from psif.classify import estimator, fitting
from psif.classify.language import LanguageTable
from psif.text.vocabulary import Vocabulary
from psif.vectors.ready import ready_table
from tests.classify.conftest import BAD, GOOD, make_texts, opinions, small_model


def known(*words):
    ones = np.ones(len(words), dtype=np.int64)
    return Vocabulary(list(words), ones, ones, 1)


def test_words_that_no_training_text_has_are_understood(fitted_english):
    assert fitted_english.language_ == "english"
    assert "awful" not in fitted_english.model_.vocabulary_.words
    new, y = opinions(GOOD[1::2]) + opinions(BAD[1::2]), ["good"] * 10 + ["bad"] * 10
    assert fitted_english.score(new, y) >= 0.8
    alone = PSIFClassifier(small_model(vectors="ppmi"), random_state=0)
    alone.fit(opinions(GOOD[::2]) + opinions(BAD[::2]), y)
    assert alone.language_ is None
    assert alone.score(new, y) <= 0.6


def test_reasons_and_descriptions_name_words_of_the_table(fitted_english):
    found = fitted_english.explain("an awful film", "bad")
    assert found.words[0].word == "awful"
    assert found.words[0].share == pytest.approx(found.language, rel=0.5)
    assert f"what words mean in their language: {found.language:+.3f}" in str(found)
    described = {one.label: one for one in fitted_english.describe()}
    assert set(GOOD[::2]) & {word.word for word in described["good"].words_for}


def test_rows_and_ids_by_hand():
    table = ready_table("english")
    found = LanguageTable.of("english", known("zzyzxq", "good"))
    assert found.vocabulary.words[:2] == ["zzyzxq", "good"]
    assert len(found.vocabulary) == len(table.words) + 1
    np.testing.assert_array_equal(found.rows[0], 0)
    np.testing.assert_array_equal(found.rows[1], table.vectors[table.words.index("good")])
    cut = Tokenizer.of("unicode")
    docs = found.vocabulary.encode(["good good film", "zzyzxq", ""], cut)
    rows = found.documents(docs)
    film = table.vectors[table.words.index("film")].astype(np.float64)
    wanted = (1 + np.log(2)) * found.rows[1] + film
    np.testing.assert_allclose(rows[0], wanted / np.linalg.norm(wanted), atol=1e-6)
    np.testing.assert_array_equal(rows[1:], 0)
    np.testing.assert_allclose(found.word_shares(docs) @ found.rows, rows, atol=1e-5)


def test_other_languages_and_made_up_words_have_no_table():
    german = known("der", "die", "und", "nicht", "schiff", "hafen", "wetter", "ist", "das", "ein")
    assert LanguageTable.speaking(german) is None
    assert LanguageTable.speaking(known("qzx", "vvk", "prrt")) is None
    english = known("the", "and", "of", "ship", "was", "good", "weather", "it", "is", "not")
    assert LanguageTable.speaking(english).name == "english"


def test_very_many_texts_do_without(monkeypatch):
    monkeypatch.setattr(estimator, "MOST_DOCS", 10)
    texts, y = opinions(GOOD[::2]) + opinions(BAD[::2]), ["good"] * 10 + ["bad"] * 10
    clf = PSIFClassifier(small_model(vectors="auto"), random_state=0).fit(texts, y)
    assert clf.language_ is None


def test_a_table_that_gains_little_is_left_out(monkeypatch):
    texts, y = make_texts(60)
    clf = PSIFClassifier(small_model(vectors="auto"), random_state=0).fit(texts, y)
    assert (clf.held_out_score_, clf.language_, clf.shares_.language) == (100, None, 0)
    # Not all errors go, so a gain of all of them is never reached.
    monkeypatch.setattr(fitting, "_LEAST_GAIN", 1.0)
    texts, y = opinions(GOOD[::2]) + opinions(BAD[::2]), ["good"] * 10 + ["bad"] * 10
    clf = PSIFClassifier(small_model(vectors="auto"), random_state=0).fit(texts, y)
    assert clf.language_ is None


def test_the_folds_decide_also_where_the_smallest_c_did_best(monkeypatch):
    monkeypatch.setattr(fitting, "_FEW_DOCS", 1)
    texts, y = opinions(GOOD[::2]) + opinions(BAD[::2]), ["good"] * 10 + ["bad"] * 10
    alone = PSIFClassifier(small_model(), random_state=0).fit(texts, y)
    assert alone.C_ == 0.125
    clf = PSIFClassifier(small_model(vectors="auto"), random_state=0).fit(texts, y)
    assert clf.language_ == "english"


def test_several_labels():
    texts = opinions(GOOD[::2]) + opinions(BAD[::2])
    labels = [["good", "film"]] * 10 + [["bad", "film"]] * 10
    clf = PSIFClassifier(small_model(vectors="auto"), random_state=0).fit(texts, labels)
    assert clf.language_ == "english"
    right = [{"good", "film"} == set(row) for row in clf.predict(opinions(GOOD[1::2]))]
    assert sum(right) >= 7
