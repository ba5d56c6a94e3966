"""Similarity, explanations, search and labels over HTTP are those of the library."""

import numpy as np
import pytest

from psif import PSIF, Index, PSIFClassifier
from tests.corpora import texts

A, B = texts(n_docs=2, seed=5)


def test_similarity(server, folders):
    model = PSIF.load(folders["full"])
    status, answer = server.ask(
        "/v1/similarity", {"texts_a": [A, B], "texts_b": [B], "model": "full"}
    )
    assert status == 200
    assert np.allclose(answer["scores"], model.similarity([A, B], [B]), atol=1e-6)
    body = {"texts_a": [A, B], "texts_b": [B, A], "paired": True}
    assert np.allclose(
        server.ask("/v1/similarity", body)[1]["scores"],
        model.similarity([A, B], [B, A], paired=True),
    )


def test_explanation_of_two_texts(server, folders):
    status, answer = server.ask("/v1/explain", {"model": "full", "text_a": A, "text_b": B})
    expected = PSIF.load(folders["full"]).explain(A, B).to_dict()
    assert status == 200
    assert answer["score"] == pytest.approx(expected["score"])
    assert answer["pairs"] == expected["pairs"]


def test_search_and_the_explanation_of_a_hit(server, folders):
    index = Index.load(folders["docs.index"])
    body = {"query": "ship anchor", "k": 3, "where": "group == 'sea'"}
    status, answer = server.ask("/v1/search", body)
    expected = index.search("ship anchor", 3, "group == 'sea'")
    assert status == 200
    assert [hit["id"] for hit in answer["data"]] == [hit.id for hit in expected]
    assert answer["data"][0]["score"] == pytest.approx(expected[0].score)
    assert answer["data"][0]["metadata"] == {"group": "sea"}
    body = {"model": "docs.index", "query": "ship anchor", "id": expected[0].id}
    assert server.ask("/v1/explain", body)[1]["score"] == pytest.approx(expected[0].score)


def test_a_query_of_unknown_words_finds_nothing_and_is_not_logged(server):
    status, answer = server.ask("/v1/search", {"query": "zzzsecretzzz"})
    assert (status, answer["data"]) == (200, [])
    assert "zzzsecretzzz" not in "".join(server.errors)


def test_labels_and_their_reasons(server, folders):
    classifier = PSIFClassifier.load(folders["kinds.clf"])
    status, answer = server.ask("/v1/classify", {"input": [A, B], "top": 2})
    assert status == 200
    assert [row["label"] for row in answer["data"]] == classifier.predict([A, B]).tolist()
    best = answer["data"][0]["top"]
    assert best[0]["label"] == answer["data"][0]["label"]
    assert best[0]["probability"] == pytest.approx(classifier.predict_proba([A]).max(), abs=1e-6)
    why = server.ask("/v1/explain", {"model": "kinds.clf", "text": A})[1]
    assert why["label"] == answer["data"][0]["label"]
    total = why["bias"] + sum(word["share"] for word in why["words"])
    assert total == pytest.approx(why["score"], abs=1e-4)


def test_embeddings_of_an_index_and_of_a_classifier(server, folders):
    for name in ("docs.index", "kinds.clf"):
        status, answer = server.ask("/v1/embeddings", {"model": name, "input": A})
        assert status == 200
        assert np.any(answer["data"][0]["embedding"])


@pytest.mark.parametrize(
    ("path", "body", "status", "reason"),
    [
        ("/v1/search", {"query": "ship", "model": "full"}, 400, "kind 'model'"),
        ("/v1/search", {"query": "ship", "where": "group =="}, 400, ""),
        ("/v1/search", {"query": "ship", "k": 0}, 400, "'k' must be"),
        ("/v1/search", {"query": "ship", "k": True}, 400, "'k' must be"),
        ("/v1/search", {"query": "ship", "lexical": 2}, 400, "from 0 to 1"),
        ("/v1/search", {"query": ["ship"]}, 400, "'query' must be a text"),
        ("/v1/explain", {"model": "docs.index", "query": "ship", "id": "no"}, 404, "no document"),
        ("/v1/explain", {"model": "docs.index", "query": "ship", "id": {}}, 400, "'id'"),
        ("/v1/explain", {"model": "kinds.clf", "text": A, "label": "moon"}, 400, "not a label"),
        ("/v1/explain", {"text_a": "ship " * 20_000, "text_b": "sail"}, 413, "100,000 characters"),
        ("/v1/classify", {"input": A, "model": "full"}, 400, "kind 'model'"),
        ("/v1/classify", {"input": 5}, 400, "'input' must be"),
        ("/v1/similarity", {"texts_a": [A], "texts_b": [A, B], "paired": True}, 400, "paired"),
        ("/v1/similarity", {"texts_a": [A], "texts_b": [A], "paired": 1}, 400, "true or false"),
    ],
)  # fmt: skip
def test_wrong_questions(server, path, body, status, reason):
    found, answer = server.ask(path, body)
    assert (found, set(answer["error"])) == (status, {"message", "type", "param", "code"})
    assert reason in answer["error"]["message"]
