"""Columns of single words beside the topics."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import PSIF, FormatError, InputError, WordVectors
from psif.documents import projected_columns
from psif.documents.projected_columns import flattened
from psif.documents.word_columns import WordColumns
from psif.explain import explain_pair
from psif.model import fitting
from psif.model.presets import PLAIN
from tests import corpora
from tests.explain.naive import pair_shares, word_shares
from tests.model.sealing import reseal
from tests.worlds import make_world, random_components, worlds


@pytest.fixture(autouse=True)
def few_columns(monkeypatch):
    monkeypatch.setattr(fitting, "MOST_COLUMNS", 12)
    monkeypatch.setattr(fitting, "MOST_COMPACT_COLUMNS", 12)


OWN = {**PLAIN, "n_topics": 3, "random_state": 0, "word_columns": 0.4, "counts": "log"}


def own_of(world, share, n_columns):
    """Every other word has a column, up to so many."""
    columns = np.full(len(world.words.weights), -1, dtype=np.int32)
    chosen = np.arange(0, len(columns), 2)[:n_columns]
    columns[chosen] = np.arange(len(chosen))
    return WordColumns(share, columns, len(chosen), world.words.n_features)


def naive_rows(world, components, word_columns):
    """Straight from the definition, a document at a time."""
    topics = world.words.average(world.docs, components).astype(np.float64)
    rows = np.zeros((len(topics), word_columns.n_columns))
    for row, t, ids in zip(rows, topics, world.lists, strict=True):
        for word, share in word_shares(ids, world.words).items():
            if word_columns.columns[word] >= 0:
                row[word_columns.columns[word]] = share
        if row.any():
            row *= (
                math.sqrt(word_columns.share / (1 - word_columns.share))
                * np.linalg.norm(t)
                / np.linalg.norm(row)
            )
    return np.hstack([topics, rows])


@settings(max_examples=60, deadline=None)
@given(
    world=worlds(),
    n_removed=st.integers(0, 2),
    share=st.floats(0.01, 0.99),
    n_columns=st.integers(1, 20),
    n_jobs=st.integers(1, 2),
)
def test_rows_are_what_the_definition_says(world, n_removed, share, n_columns, n_jobs):
    components, word_columns = random_components(world, n_removed), own_of(world, share, n_columns)
    found = world.words.average(world.docs, components, word_columns=word_columns, n_jobs=n_jobs)
    expected = naive_rows(world, components, word_columns)
    assert found.shape == expected.shape
    np.testing.assert_allclose(
        found, expected, rtol=1e-4, atol=1e-5 * (1 + abs(expected).max(initial=0))
    )


@settings(max_examples=60, deadline=None)
@given(world=worlds(min_docs=2), share=st.floats(0.05, 0.95), n_removed=st.integers(0, 1))
def test_explanations_are_exact(world, share, n_removed):
    components, word_columns = random_components(world, n_removed), own_of(world, share, 20)
    names = [f"w{i}" for i in range(len(world.words.weights))]
    a, b = (np.array(ids, np.int32) for ids in world.lists[:2])
    result = explain_pair(
        world.words, names, components, a, b, word_columns=word_columns, n_pairs=2000
    )
    x, y = naive_rows(world, components, word_columns)[:2]
    lengths = np.linalg.norm(x) * np.linalg.norm(y)
    if lengths > 1e-4:
        assert result.score == pytest.approx(x @ y / lengths, abs=1e-3)
    of_topics = sum(t.share for t in result.topics)
    every = [*result.words_a.values(), *result.words_b.values(), result.removed]
    near = 1e-9 * (1 + sum(map(abs, every)))
    assert of_topics + result.removed == pytest.approx(result.score, abs=near)
    of_pairs = sum(p.share for p in result.pairs) + result.other_pairs
    assert of_pairs == pytest.approx(of_topics, abs=near)
    assert result.other_pairs == pytest.approx(0, abs=near)
    for side in (result.words_a, result.words_b):
        assert sum(side.values()) == pytest.approx(of_topics, abs=near)


def test_pairs_of_one_word_hold_its_column():
    world = make_world(3, 30, 2, 4, [12, 14])
    word_columns, components = own_of(world, 0.5, 20), np.zeros((0, 8), np.float32)
    names = [f"w{i}" for i in range(30)]
    a, b = (np.array(ids, np.int32) for ids in world.lists)
    rows = naive_rows(world, components, word_columns)
    unit = 1 / np.prod(np.linalg.norm(rows, axis=1))
    by_topics = pair_shares(world.lists[0], world.lists[1], world.words, unit)
    result = explain_pair(
        world.words, names, components, a, b, word_columns=word_columns, n_pairs=5
    )
    expected = {
        (w, u): share
        + (w == u and word_columns.columns[w] >= 0)
        * unit
        * np.prod(rows[:, 8 + word_columns.columns[w]])
        for (w, u), share in by_topics.items()
    }
    best = sorted(expected.values(), key=abs, reverse=True)[:5]
    assert [pair.share for pair in result.pairs] == pytest.approx(best, rel=1e-4)
    assert {pair.a for pair in result.pairs} & {pair.b for pair in result.pairs}


def test_the_cosine_is_a_mean_of_both_parts():
    # One topic, nothing removed, words at right angles: by hand.
    model = PSIF(
        WordVectors(["cat", "dog", "eel"], np.array([[1, 0], [1, 0], [0, 1]], np.float32)),
        **{**PLAIN, "n_topics": 1, "n_removed": 0, "weighting": "uniform", "word_columns": 0.25},
        random_state=0,
    ).fit(["cat dog eel"])  # fmt: skip
    assert model.transform(["cat"]).shape == (1, 2 + 3)
    # The vectors are one, the words are not; then nothing is.
    assert model.similarity("cat", "dog") == pytest.approx(0.75)
    assert model.similarity("cat", "cat cat cat") == pytest.approx(1)
    assert model.similarity("cat", "eel") == pytest.approx(0)
    # Topics say 1/√2, and so do words: (1, 0, 0) and (1, 0, 1)/√2.
    assert model.similarity("cat", "cat eel") == pytest.approx(math.sqrt(0.5))
    assert model.explain("cat", "dog").shared_words == 0
    assert model.explain("cat", "cat eel").shared_words == pytest.approx(0.25 * math.sqrt(0.5))


def test_words_of_most_documents_get_the_columns():
    model = PSIF(corpora.vectors(), **OWN).fit(corpora.texts())
    columns, known = model.word_columns_, model.vocabulary_
    assert columns.n_columns == 12
    least = known.doc_counts[columns.words].min()
    assert (known.doc_counts > least).sum() <= 12
    names = model.get_feature_names_out()
    assert len(names) == model.n_features_out_ == model.transform(["ship"]).shape[1]
    assert names[-12] == f"word_{known.words[columns.words[0]]}"


@pytest.mark.parametrize(
    "options",
    [{}, {"n_dims": 9}, {"n_dims": 9, "unknown": "hash"}],
)
def test_saved_and_loaded(tmp_path, options):
    model = PSIF(corpora.vectors(), **{**OWN, **options}).fit(corpora.texts())
    model.save(tmp_path / "m")
    again = PSIF.load(tmp_path / "m")
    np.testing.assert_array_equal(
        again.transform(corpora.texts()), model.transform(corpora.texts())
    )
    assert again.word_columns_.first == model.word_columns_.first
    text = (tmp_path / "m" / "config.json").read_text()
    damaged = text.replace(f'"first": {model.word_columns_.first}', '"first": 99999')
    assert damaged != text
    (tmp_path / "m" / "config.json").write_text(damaged)
    reseal(tmp_path / "m")
    with pytest.raises(FormatError, match="columns of words do not fit"):
        PSIF.load(tmp_path / "m")


@pytest.mark.parametrize("unknown", ["skip", "hash"])
def test_compact_vectors_keep_the_share(unknown):
    model = PSIF(corpora.vectors(), **{**OWN, "n_dims": 9, "unknown": unknown})
    model.fit(corpora.texts())
    rows = model.transform(corpora.texts())
    first = model.word_columns_.first
    assert rows.shape[1] == 9
    word_columns, whole = (np.linalg.norm(part, axis=1) ** 2 for part in (rows[:, first:], rows))
    np.testing.assert_allclose(word_columns / whole, 0.4, rtol=1e-4)
    assert model.explain(corpora.texts()[0], corpora.texts()[1]).score == pytest.approx(
        model.similarity(corpora.texts()[0], corpora.texts()[1]), abs=1e-6
    )


def test_compact_vectors_of_all_dimensions_lose_nothing(monkeypatch):
    monkeypatch.setattr(projected_columns, "_FLATTENING", 0.0)
    model = PSIF(corpora.vectors(), **OWN).fit(corpora.texts())
    n_dims = min(np.linalg.matrix_rank(model.transform(corpora.texts())[:, :24]), 23) + 12
    compact = PSIF(**{**model.get_params(), "n_dims": int(n_dims)}).fit(corpora.texts())
    both = [m.similarity(corpora.texts()[:20], corpora.texts()[:20]) for m in (model, compact)]
    np.testing.assert_allclose(*both, atol=1e-3)


def test_weaker_directions_become_longer_by_hand():
    directions = np.eye(3, dtype=np.float32)
    # Singular values 4, 2 and 0: 2^0.2 and, for what explains nothing, the bound 1000^0.2.
    longer = flattened(directions, np.array([16.0, 4.0, 0.0]))
    assert np.allclose(np.diag(longer), [1, 1.148698, 3.981072])
    assert np.count_nonzero(longer) == 3
    assert np.array_equal(flattened(directions, np.zeros(3)), directions)


def test_settings_that_make_no_sense():
    for share in (-0.1, 1, "half"):
        with pytest.raises(InputError, match="word_columns must be a number from 0"):
            PSIF(word_columns=share).fit(["a b"])
    with pytest.raises(InputError, match="n_dims=1 must lie between 2"):
        PSIF(corpora.vectors(), **{**OWN, "n_dims": 1}).fit(corpora.texts())


def test_a_document_outside_all_columns_keeps_its_topics():
    world = make_world(1, 20, 2, 3, [4])
    word_columns = replace(own_of(world, 0.5, 3), columns=np.full(20, -1, np.int32))
    rows = world.words.average(world.docs, np.zeros((0, 6), np.float32), word_columns=word_columns)
    assert rows[0, :6].any()
    assert not rows[0, 6:].any()
