import io
import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import Index, InputError
from tests.search import collections, naive

WORDS = [*collections.SEA[:4], *collections.SKY[:4], *collections.FOOD[:4], "the", "n3", "unheard"]
MODELS = {
    "retrieval": {},
    "components removed": {"n_removed": 2},
    "projected": {"n_topics": 16, "dim": 25},
    "compact": {"n_dims": 5},
    "word columns": {"word_columns": 0.3},
    "compact word columns": {"word_columns": 0.3, "n_dims": 8},
    "hashed": {"unknown": "hash"},
}


@pytest.fixture(scope="module", params=MODELS)
def index(request):
    texts = [*collections.texts(), "", "words of no kind"]
    return Index.build(texts, model=collections.model(**MODELS[request.param]))


def total(found):
    """The sum of all parts, as plain data, and of the second reading."""
    plain = found.to_dict()
    words = sum(word["share"] for word in plain["lexical"])
    topics = sum(topic["share"] for topic in plain["topics"])
    pairs = sum(pair.share for pair in found.pairs) + found.other_pairs
    others = sum(hit.share for hit in found.feedback)
    return (
        words + topics + plain["removed"],
        words + pairs + others + found.residual,
    )


@settings(max_examples=25)
@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=6),
    weight=st.sampled_from([0, 0.3, 0.5, 1]),
)
def test_parts_sum_to_the_score(index, words, weight):
    query = " ".join(words)
    if words == ["unheard"] * len(words):
        query += " ship"
    for hit in index.search(query, k=4, lexical=weight):
        found = index.explain(query, hit.id, lexical=weight)
        assert found.score == pytest.approx(hit.score, abs=1e-9)
        assert total(found) == pytest.approx((hit.score, hit.score), abs=1e-6)
        assert sum(word.share for word in found.lexical) == pytest.approx(hit.lexical, abs=1e-9)
        assert hit.explanation.to_dict() == found.to_dict()


def test_documents_that_are_no_hits_are_explained_too(index):
    for key in ("60", "61"):
        found = index.explain("ship", key)
        assert total(found)[0] == pytest.approx(found.score, abs=1e-9)
    with pytest.raises(InputError, match="no document has the id 'x'"):
        index.explain("ship", "x")


def test_words_are_those_of_bm25():
    texts = collections.texts()
    index = Index.build(texts, model=collections.model())
    query = "ships in a storm"
    whole = naive.bm25(texts, query)
    hit = index.search(query, lexical=1)[0]
    found = index.explain(query, hit.id, lexical=1)
    assert sum(word.share for word in found.lexical) == pytest.approx(whole[int(hit.id)])
    assert {word.word for word in found.lexical} <= {"ships", "in", "a", "storm"}
    for word in found.lexical:
        alone = index.explain(word.word, hit.id, lexical=1)
        assert alone.score == pytest.approx(word.share)
    shares = [word.share for word in found.lexical]
    assert shares == sorted(shares, reverse=True)


def test_rounding_is_all_that_is_left_of_exact_models():
    """The split recomputes the vectors of documents from their words."""
    for settings_ in ({}, {"n_removed": 2}, {"n_topics": 16, "dim": 25}):
        index = Index.build(collections.texts(), model=collections.model(**settings_))
        for hit in index.search("ship in a storm", k=5):
            found = hit.explanation
            assert abs(found.residual) < 0.03 * abs(hit.dense)
            assert sum(found.words.values()) == pytest.approx(hit.dense - found.residual)
            assert found.same_words == 0
            assert bool(found.removed) == bool(settings_.get("n_removed"))


def test_pairs_are_those_of_the_vectors():
    """One query word and one document word: their cosine in the space."""
    texts = [*collections.texts(), "anchor"]
    index = Index.build(texts, model=collections.model(n_topics=16, dim=25))
    found = index.explain("harbour", "60", lexical=0)
    assert [(pair.a, pair.b) for pair in found.pairs] == [("harbour", "anchor")]
    cosine = naive.cosines(index._content.space, ["anchor"], "harbour")[0]
    assert found.pairs[0].share == pytest.approx(cosine, abs=1e-5)


def test_feedback_names_the_best_hits():
    index = Index.build(collections.texts(), model=collections.model())
    first = index.search("storm at the coast", k=5)
    found = first[2].explanation
    assert {hit.id for hit in found.feedback} <= {
        hit.id for hit in index.search("storm at the coast", k=60)
    }
    assert len(found.feedback) == 5
    assert all(np.isfinite(hit.share) for hit in found.feedback)


def test_it_can_be_shown():
    texts = collections.texts()
    index = Index.build([*texts, "<b>ship</b> [red]storm & tide"], model=collections.model())
    found = index.explain("ship <i>storm", "60")
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
    assert set(found.to_dict()) >= {"score", "lexical", "topics", "removed"}
    shown = str(found)
    assert "word ship" in shown
    assert f"{found.score:+.3f}" in shown
    html = found._repr_html_()
    assert "&lt;b&gt;<mark>ship</mark>" in html
    assert "<b>ship" not in html
    from rich.console import Console

    console = Console(width=120, record=True, file=io.StringIO())
    console.print(found)
    text = console.export_text()
    assert "score" in text
    assert "strongest word pairs" in text


def test_the_reason_in_one_line():
    index = Index.build(collections.texts(), model=collections.model())
    hit = index.search("the ship and the sailor", k=1)[0]
    reason = hit.explanation.reason()
    assert re.match(r"\w+ \+\d\.\d\d, ", reason)
    assert re.search(r"; topics \+\d\.\d\d \(\w+, ", reason)
    assert "\n" not in reason
