import base64
import re

import numpy as np
import pytest

from psif.explorer.assets import single_page
from psif.explorer.offline import offline_data, pack_words
from tests.explorer.worlds import make_answers, page_data


def unpack(packed):
    return np.frombuffer(base64.b64decode(packed["data"]), dtype=packed["type"])


def test_scores_from_the_packed_words_are_the_models(tmp_path):
    """The sums that the page makes, in plain loops, on the numbers that the page gets."""
    answers = make_answers(tmp_path, counts="log", n_removed=2)
    collection = answers.collection
    words = pack_words(answers)
    dim, names = words["dim"], words["names"]
    vectors = unpack(words["vectors"]).reshape(-1, dim).astype(float)
    starts = np.concatenate([[0], np.cumsum(unpack(words["code_counts"]))]).astype(int)
    topics, values = unpack(words["code_topics"]), unpack(words["code_values"])
    codes = np.zeros((len(names), words["n_topics"]))
    for w in range(len(names)):
        here = slice(starts[w], starts[w + 1])
        codes[w, topics[here]] = values[here]
    common = unpack(words["common"]).reshape(2, -1)
    sizes = np.concatenate([[0], np.cumsum(unpack(words["doc_sizes"]))]).astype(int)
    norms = unpack(words["norms"])
    weights = unpack(words["weights"])

    def side(doc):
        ids = unpack(words["doc_words"])[sizes[doc] : sizes[doc + 1]]
        factors = 1 + np.log(unpack(words["doc_counts"])[sizes[doc] : sizes[doc + 1]])
        return ids, factors * weights[ids] / factors.sum()

    ids, shares = side(0)
    matrix = sum(s * np.outer(codes[w], vectors[w]) for w, s in zip(ids, shares, strict=True))
    parts = common[:, ids] @ shares
    gains = np.array([codes[w] @ matrix @ vectors[w] for w in range(len(names))]) - parts @ common
    length = np.sqrt((matrix**2).sum() - parts @ parts)
    for doc in range(1, 20):
        ids, shares = side(doc)
        score = shares @ gains[ids] / (length * norms[doc])
        expected = collection.model.similarity(collection.texts[0], collection.texts[doc])
        assert score == pytest.approx(expected, abs=2e-3)


def test_words_that_are_too_many_are_left_out(tmp_path):
    answers = make_answers(tmp_path)
    assert pack_words(answers, most_bytes=100) is None
    data = offline_data(answers, with_words=False)
    assert data["words"] is None
    near = unpack(data["near"]["rows"]).reshape(-1, data["near"]["number"])
    for number in (0, 7, 30):
        expected = [i for i, _ in answers.document(number)["near"]]
        assert near[number, :5].tolist() == expected[:5]


def test_without_texts_the_file_says_what_it_cannot(tmp_path):
    data = offline_data(make_answers(tmp_path, texts=False))
    assert "found by id only" in data["search"]
    assert data["words"] is None


def test_buckets_are_no_words_of_the_model(tmp_path, monkeypatch):
    answers = make_answers(tmp_path, unknown="hash")
    vocabulary = answers.collection.model.vocabulary_
    data = offline_data(answers)
    assert data["words"]["n_buckets"] == vocabulary.n_buckets
    held = f"holds {vocabulary.n_known} of the model's {vocabulary.n_known} words"
    assert held in data["search"]
    assert "left out" not in data["search"]
    # Without room for the buckets that no document needs, new texts do without.
    monkeypatch.setattr("psif.explorer.offline._MORE_BYTES", 0)
    data = offline_data(answers)
    assert data["words"]["n_buckets"] == 0
    assert any(name.startswith("<unknown") for name in data["words"]["names"])
    assert "does not know are left out of new texts" in data["search"]


def test_a_model_with_an_expression_of_its_own_is_told(tmp_path):
    assert "regular expression" not in offline_data(make_answers(tmp_path))["search"]
    answers = make_answers(tmp_path, tokenizer=r"[a-z]+")
    assert "finds words by its own regular expression" in offline_data(answers)["search"]


def test_compact_models_ship_their_table(tmp_path):
    words = pack_words(make_answers(tmp_path, n_dims=4))
    assert len(unpack(words["table"])) == 4 * len(words["names"])


def test_long_texts_are_cut_and_said(tmp_path, monkeypatch):
    monkeypatch.setattr("psif.explorer.offline._MOST_TEXT", 640)
    monkeypatch.setattr("psif.explorer.offline._CUTS", (30, 10, 1))
    answers = make_answers(tmp_path)
    data = offline_data(answers)
    assert all(len(text) <= 10 for text in data["texts"])
    assert "shown up to 10 characters" in data["notes"][-1]
    assert not any("shown up to" in note for note in answers.collection.notes)


def test_the_file_holds_hostile_texts_as_data(tmp_path):
    answers = make_answers(tmp_path)
    page = single_page(offline_data(answers)).decode("utf-8")
    assert page_data(page)["texts"] == answers.collection.texts
    assert page.count("<script") == 2
    assert not re.search(r"""(src|href)=["'](?!data:|#)""", page)
    assert "connect-src" not in page
    assert "unsafe" not in page
