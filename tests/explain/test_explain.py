import html
import io
import json
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import PSIF
from psif.documents.averaging import WordTopics
from psif.documents.projection import fold_words
from psif.errors import MissingExtraError
from psif.explain import PairShare, explain_pair, pairs
from psif.explain.html import chip
from psif.explain.side import Side
from psif.explain.terminal import parts
from psif.runtime.norms import unit_rows
from tests import corpora
from tests.explain.naive import compact_topic_shares, pair_shares
from tests.worlds import make_world, random_components, worlds


def parts_of(explanation):
    return sum(t.share for t in explanation.topics) + explanation.removed


def tolerance(explanation):
    """Nine digits; documents nearly in the removed components have huge shares that cancel."""
    every = [*explanation.words_a.values(), *explanation.words_b.values(), explanation.removed]
    return 1e-9 * (1 + sum(map(abs, every)))


def test_a_score_is_exact_where_removal_leaves_little():
    """Components are orthonormal to single precision; 1 / left² times that would be a percent."""
    rng = np.random.default_rng(0)
    common = np.linalg.qr(rng.standard_normal((40, 2)))[0].T.astype(np.float32)
    vectors = rng.standard_normal((4, 2)) @ common + 1e-3 * rng.standard_normal((4, 40))
    ones = np.ones((4, 1), np.float32)
    words = WordTopics(ones[:, 0], ones, vectors.astype(np.float32))
    texts = [np.array([0, 1], np.int32), np.array([2, 3], np.int32)]
    left = []
    for ids in texts:  # as the compiled loops do, in double precision
        row = words.vectors[ids].astype(np.float64).mean(axis=0)
        for component in common.astype(np.float64):
            row = row - (component @ row) * component
        left.append(row)
    cosine = left[0] @ left[1] / np.linalg.norm(left[0]) / np.linalg.norm(left[1])
    explained = explain_pair(words, ["a", "b", "c", "d"], common, *texts)
    assert explained.score == pytest.approx(cosine, abs=1e-8)
    assert parts_of(explained) == pytest.approx(cosine, abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(world=worlds(min_docs=2), n_removed=st.integers(0, 2), n_pairs=st.integers(0, 2000))
def test_parts_sum_to_the_score(world, n_removed, n_pairs):
    words = world.words
    components = random_components(world, n_removed)
    names = [f"w{i}" for i in range(len(words.codes))]
    a, b = world.lists[:2]
    ids_a, ids_b = np.array(a, np.int32), np.array(b, np.int32)
    result = explain_pair(words, names, components, ids_a, ids_b, n_pairs=n_pairs)
    x, y = words.average(world.docs.part(0, 2), components).astype(np.float64)
    lengths = np.linalg.norm(x) * np.linalg.norm(y)
    if lengths > 1e-4:
        assert result.score == pytest.approx(x @ y / lengths, abs=1e-3)
    near = tolerance(result)
    assert parts_of(result) == pytest.approx(result.score, abs=near)
    of_topics = sum(t.share for t in result.topics)
    of_pairs = sum(p.share for p in result.pairs) + result.other_pairs
    assert of_pairs == pytest.approx(of_topics, abs=near)
    for side in (result.words_a, result.words_b):
        assert sum(side.values()) == pytest.approx(of_topics, abs=near)
    if n_pairs >= len(set(a)) * len(set(b)):
        assert result.other_pairs == pytest.approx(0, abs=near)


@settings(max_examples=40, deadline=None)
@given(world=worlds(min_docs=2, min_length=1), seed=st.integers(0, 99), n_dims=st.integers(1, 5))
def test_parts_of_compact_scores_sum_with_nothing_left_over(world, seed, n_dims):
    components = random_components(world, 1)
    words = replace(world.words, n_shared=min(seed % 2, world.words.n_topics - 1))
    projection = np.random.default_rng(seed).standard_normal((words.n_features, n_dims))
    table = fold_words(words, components, projection.astype(np.float32))
    docs = world.docs.part(0, 2)
    x, y = unit_rows(words.average_table(docs, table))
    names = [f"w{i}" for i in range(len(words.codes))]
    result = explain_pair(words, names, components, *docs, table=table, n_pairs=2000)
    assert result.score == pytest.approx(float(x @ y), abs=1e-4)
    assert parts_of(result) == pytest.approx(result.score, abs=tolerance(result))
    assert result.removed == 0
    for side in (result.words_a, result.words_b):
        assert sum(side.values()) == pytest.approx(result.score, abs=tolerance(result))
    assert result.other_pairs == pytest.approx(0, abs=tolerance(result))
    slow = compact_topic_shares(words, table, *world.lists[:2])
    found = {topic.topic: topic.share for topic in result.topics}
    assert [found[j] for j in range(words.n_topics)] == pytest.approx(slow, abs=1e-6)


def test_by_hand():
    words = WordTopics(
        weights=np.ones(3, np.float32),
        codes=np.array([[1, 0], [0, 1], [1, 0]], dtype=np.float32),
        vectors=np.array([[1, 0], [0, 1], [1, 0]], dtype=np.float32),
    )
    none = np.zeros((0, 4), np.float32)
    # a = (w0, w1), b = (w1, w2): each word vector is unit, topics {0, 1} each carry half.
    result = explain_pair(words, ["x", "y", "z"], none, np.array([0, 1]), np.array([1, 2]))
    assert result.score == pytest.approx(1.0)
    assert {t.topic: round(t.share, 9) for t in result.topics} == {0: 0.5, 1: 0.5}
    shares = {(p.a, p.b): p.share for p in result.pairs}
    assert shares[("x", "z")] == pytest.approx(0.5)
    assert shares[("y", "y")] == pytest.approx(0.5)
    assert shares[("x", "y")] == 0


def test_long_documents_list_the_strongest_pairs_only():
    world = make_world(0, n_words=3000, n_topics=3, dim=4, lengths=[4000, 4000])
    names = [f"w{i}" for i in range(3000)]
    none = random_components(world, 0)
    ids_a, ids_b = world.docs
    result = explain_pair(world.words, names, none, ids_a, ids_b, n_pairs=10)
    assert len(result.pairs) == 10
    assert parts_of(result) == pytest.approx(result.score, abs=1e-9)
    shares = [abs(p.share) for p in result.pairs]
    assert shares == sorted(shares, reverse=True)


@pytest.fixture(scope="module")
def model():
    return PSIF(corpora.vectors(), n_topics=3, random_state=0).fit(corpora.texts())


def test_score_is_that_of_similarity(model):
    a, b = "ship and sail", "harbour of the wave"
    result = model.explain(a, b)
    assert result.score == pytest.approx(model.similarity(a, b), abs=1e-5)
    assert result.score == pytest.approx(parts_of(result), abs=1e-9)


def test_words_of_the_same_subject_explain_a_high_score(model):
    result = model.explain("ship and sail", "harbour of the wave")
    strongest = max(result.pairs, key=lambda pair: pair.share)
    assert strongest.a in ("ship", "sail")
    assert strongest.b in ("harbour", "wave")


@pytest.mark.parametrize("more", [{}, {"word_columns": 0.3}, {"shared_topic": 0.5}])
def test_compact_vectors_leave_nothing_over(more):
    model = PSIF(corpora.vectors(), n_topics=3, n_dims=4, random_state=0, **more)
    model.fit(corpora.texts())
    a, b = corpora.texts()[:2]
    result = model.explain(a, b)
    assert result.score == pytest.approx(model.similarity(a, b), abs=1e-5)
    assert parts_of(result) == pytest.approx(result.score, abs=1e-9)
    assert (result.shared_words != 0) == bool(more.get("word_columns", 0.3))
    if "shared_topic" in more:
        assert {topic.topic: topic.share for topic in result.topics}[0] == 0


def test_dict_has_the_documented_shape_and_is_json(model):
    data = json.loads(json.dumps(model.explain("ship", "sail the sea").to_dict()))
    assert {"score", "topics", "removed", "pairs"} <= set(data)
    assert set(data["topics"][0]) == {"topic", "name", "share", "words"}
    assert data["topics"][0]["name"] == model.topic_names_[data["topics"][0]["topic"]]
    assert set(data["pairs"][0]) == {"a", "b", "share"}
    total = sum(t["share"] for t in data["topics"]) + data["removed"]
    assert total == pytest.approx(data["score"], abs=1e-9)


def test_text_without_known_words_explains_to_zero(model):
    result = model.explain("qqq", "ship")
    assert (result.score, result.removed, result.pairs) == (0, 0, [])
    assert "similarity +0.000" in str(result)


@settings(max_examples=40, deadline=None)
@given(world=worlds(min_docs=2, min_length=1), n_pairs=st.integers(1, 12))
def test_strongest_pairs_are_those_of_the_slow_twin(world, n_pairs):
    a, b = world.lists[:2]
    sides = [Side.of(world.words, np.array(ids, np.int32)) for ids in (a, b)]
    names = [f"w{i}" for i in range(len(world.words.codes))]
    with pytest.MonkeyPatch.context() as patch:
        # Small blocks, so that the bound decides what is left out.
        patch.setattr(pairs, "_ROWS", 3)
        found = pairs.strongest_pairs(names, *sides, 2.0, n_pairs)
    every = pair_shares(a, b, world.words, 2.0)
    best = sorted((abs(share) for share in every.values()), reverse=True)[:n_pairs]
    assert [abs(pair.share) for pair in found] == pytest.approx(best, rel=1e-6, abs=1e-9)
    for pair in found:
        expected = every[int(pair.a[1:]), int(pair.b[1:])]
        assert pair.share == pytest.approx(expected, rel=1e-5, abs=1e-7)


def test_the_work_on_pairs_is_bounded():
    world = make_world(1, n_words=900, n_topics=3, dim=4, lengths=[4000, 4000])
    a, b = (Side.of(world.words, ids) for ids in world.docs)
    names = [f"w{i}" for i in range(900)]
    weighed = []
    with pytest.MonkeyPatch.context() as patch:
        weigh = pairs.weigh
        patch.setattr(
            pairs,
            "weigh",
            lambda *args: weighed.append(len(args[2]) * len(args[3])) or weigh(*args),
        )
        found = pairs.strongest_pairs(names, a, b, 1.0, 50, most=20_000)
    assert sum(weighed) <= 20_000 + 900
    assert len(found) == 50


def test_word_and_topic_shares_come_from_one_grid(model):
    result = model.explain("ship and sail", "harbour of the wave ship")
    assert set(result.word_topics_a) == set(result.words_a) == {"ship", "and", "sail"}
    assert all(0 <= topic < 3 for topic in result.word_topics_b.values())


def test_terminal_tables_sum_and_escape_markup(model):
    from rich.console import Console

    result = model.explain("ship sail", "wave")
    hostile = replace(result, pairs=[PairShare("[bold]x[/bold]", "[/]", 0.1)])
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(hostile)
    text = console.export_text()
    assert f"similarity {result.score:+.3f}" in text
    assert "[bold]x[/bold]" in text
    for n_topics in (0, 1, 5):
        shares = [share for _, share, _ in parts(result, n_topics)]
        assert sum(shares) == pytest.approx(result.score, abs=1e-9)


def test_notebook_shows_both_texts_and_runs_nothing(model):
    text = 'Ship <script>alert("1")</script> & <img src=x onerror=alert(1)> SAIL'
    page = model.explain(text, "the wave")._repr_html_()
    assert ">Ship</span>" in page
    assert ">SAIL</span>" in page
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;" in page
    plain = re.sub(r"<[^>]*>", "", page)
    assert 'alert("1")' in html.unescape(plain)


def test_notebook_cuts_long_texts_and_works_without_texts(model):
    page = model.explain("ship " * 5000, "sail")._repr_html_()
    assert "…" in page
    assert len(page) < 4_000_000
    assert "<details><summary>23,800 more characters</summary>" in page
    assert page.count("<details>") == page.count("</details>") == 1
    bare = replace(model.explain("ship", "sail"), text_a="", text_b="", tokenizer=None)
    assert ">ship</span>" in bare._repr_html_()


def test_notebook_joins_tints_to_rows_and_keeps_paragraphs(model):
    result = model.explain("ship\n\nsail", "harbour wave")
    page = result._repr_html_()
    assert "white-space:pre-wrap" in page
    assert "\n\n" in page
    strongest = result.topics[0]
    assert chip(strongest.topic) in page
    assert html.escape(strongest.label) in page


def test_figure_bars_lead_to_the_score(model):
    result = model.explain("ship $ sail", "wave harbour")
    axes = result.plot(n_topics=2).axes[0]
    last = axes.patches[-1]
    assert last.get_x() + last.get_width() == pytest.approx(result.score, abs=1e-9)
    assert len(axes.patches) == len(parts(result, 2))


def test_figure_without_matplotlib_names_the_extra(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'psif\[plots\]'"):
        model.explain("ship", "sail").plot()
