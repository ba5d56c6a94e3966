"""The lexical part on real collections, against the package bm25s."""

import os

import numpy as np
import pytest

from psif import Index
from psif.evaluation.data.folders import read_rows
from psif.search.stemming import stem_words
from psif.search.words import search_words
from tests.search import collections


def collection(name):
    if not os.environ.get("PSIF_DATA"):
        pytest.skip("PSIF_DATA names no folder with the evaluation sets")
    docs = [f"{row['title']} {row['text']}".strip() for row in read_rows(f"search_{name}/corpus")]
    return docs, [row["text"] for row in read_rows(f"search_{name}/queries")]


@pytest.mark.parametrize("name", ["cranfield", "npl"])
def test_scores_are_those_of_bm25s(name):
    import bm25s

    texts, queries = collection(name)
    index = Index.build(texts, model=collections.model(), language="english")
    peer = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    words = [stem_words(search_words(text), "english") for text in texts]
    peer.index(words, show_progress=False)
    for query, hits in zip(queries, index.search_many(queries, k=200, lexical=1), strict=True):
        scores = peer.get_scores(stem_words(search_words(query), "english"))
        ours = np.array([hit.score for hit in hits])
        assert ours == pytest.approx(scores[[int(hit.id) for hit in hits]], abs=1e-5)
        # And no document that is not among them has a higher score.
        best = np.sort(scores)[::-1][: len(hits)]
        assert ours == pytest.approx(best, abs=1e-5)
