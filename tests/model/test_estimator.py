import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from psif import PSIF, InputError, PsifError, PsifWarning, WordVectors
from psif.documents.averaging import sorted_documents
from psif.model.estimator import NotFittedError as OurNotFittedError
from psif.model.presets import PLAIN
from psif.text.flat import FlatDocs
from psif.vectors.preparation import prepare_vectors
from tests import corpora, naive

TEXTS = corpora.texts()
SUBJECTS = [i % 3 for i in range(len(TEXTS))]


def small(**options):
    return PSIF(corpora.vectors(), **{**PLAIN, "n_topics": 3, "random_state": 0, **options})


@pytest.fixture(scope="module")
def model():
    return small().fit(TEXTS)


# Algorithm 1


def algorithm_1(model, texts):
    """The paper's algorithm in plain loops, given the model's words."""
    words = model.words_
    index = model.vocabulary_.index
    docs = [[index[w] for w in text.split() if w in index] for text in texts]
    none = np.zeros((0, words.n_features))
    rows = naive.document_vectors(docs, words.weights, words.codes, words.vectors, none)
    u = naive.leading_directions(rows, 1)[0]
    return rows - np.outer(rows @ u, u)


def test_fit_transform_is_algorithm_1():
    model = small()
    fast = model.fit_transform(TEXTS)
    np.testing.assert_allclose(fast, algorithm_1(model, TEXTS), atol=2e-5)


def test_weights_are_smooth_inverse_frequencies(model):
    tokens = " ".join(TEXTS).split()
    word = "ship"
    p = tokens.count(word) / len(tokens)
    weight = model.words_.weights[model.vocabulary_.index[word]]
    assert weight == pytest.approx(1e-3 / (1e-3 + p), rel=1e-5)


def test_one_topic_is_sif():
    model = small(n_topics=1, word_norm="none", partition="gmm")
    fast = model.fit_transform(TEXTS)
    table, weights = corpora.vectors(), model.words_.weights
    index = model.vocabulary_.index
    rows = np.array(
        [np.mean([weights[index[w]] * table[w] for w in t.split()], axis=0) for t in TEXTS]
    )
    u = np.linalg.svd(rows)[2][0]
    np.testing.assert_allclose(fast, rows - np.outer(rows @ u, u), atol=1e-5)


def test_sums_of_squares_do_not_depend_on_how_documents_were_sharded(model):
    """Everything that sees documents is a sum over them."""
    docs = model.word_ids(TEXTS)
    halves = [docs.part(0, 20), docs.part(20, len(docs))]
    whole = np.vstack([model.average(half) for half in halves])
    np.testing.assert_array_equal(whole, model.average(docs))


# The names that other libraries use


@pytest.mark.parametrize("name", ["encode", "embed"])
def test_texts_have_vectors_by_the_names_of_other_libraries(model, name):
    call = getattr(model, name)
    np.testing.assert_array_equal(call(TEXTS[:3]), model.transform(TEXTS[:3]))
    np.testing.assert_array_equal(call(TEXTS[0]), model.transform(TEXTS[:1])[0])


# New documents


def test_transform_of_the_training_texts_is_fit_transform():
    model = small()
    np.testing.assert_array_equal(model.fit_transform(TEXTS), model.transform(TEXTS))


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_new_documents_do_not_depend_on_batch_order_or_threads(model, data):
    words = [w for group in corpora.GROUPS.values() for w in group] + ["unknown", "the"]
    texts = data.draw(
        st.lists(st.lists(st.sampled_from(words), max_size=9).map(" ".join), min_size=1, max_size=8)
    )
    order = data.draw(st.permutations(range(len(texts))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PsifWarning)
        together = model.transform(texts)
        alone = np.vstack([model.transform([text]) for text in texts])
        shuffled = model.transform([texts[i] for i in order])
        threads = clone(model).set_params(n_jobs=2).fit(TEXTS).transform(texts)
    np.testing.assert_array_equal(alone, together)
    np.testing.assert_array_equal(shuffled, together[list(order)])
    np.testing.assert_array_equal(threads, together)


def test_same_seed_same_vectors():
    a, b = (PSIF(n_topics=3, dim=6, random_state=4).fit_transform(TEXTS) for _ in range(2))
    np.testing.assert_array_equal(a, b)


def test_unknown_words_are_skipped_and_counted(model):
    docs = model.word_ids(["ship zzz zzz sail"])
    assert docs.coverage == 0.5
    np.testing.assert_array_equal(
        model.transform(["ship zzz zzz sail"]), model.transform(["ship sail"])
    )
    assert model.coverage_ == 1.0


def test_documents_without_known_words_are_zero_with_a_warning(model):
    with pytest.warns(PsifWarning, match="2 of 3 documents have no word with a vector"):
        vectors = model.transform(["qqq", "ship", ""])
    assert not vectors[0].any()
    assert not vectors[2].any()
    assert vectors[1].any()


def test_no_documents_to_transform(model):
    assert model.transform([]).shape == (0, 24)
    assert model.document_topics([]).shape == (0, 3)


def test_words_of_the_table_that_the_corpus_lacks_are_known_unless_asked_otherwise():
    texts = [text.replace("ship", "sail") for text in TEXTS]
    assert "ship" in small().fit(texts).vocabulary_.index
    assert "ship" not in small(train_options={"vocabulary": "corpus"}).fit(texts).vocabulary_.index


def test_a_huge_document_is_not_truncated(model):
    long = "ship " * 200_000 + "bread"
    docs = model.word_ids([long])
    assert docs.lengths.tolist() == [200_001]
    ship, bread = (model.vocabulary_.index[w] for w in ("ship", "bread"))
    words = model.words_
    total = 200_000 * words.weights[ship] * np.outer(words.codes[ship], words.vectors[ship])
    total += words.weights[bread] * np.outer(words.codes[bread], words.vectors[bread])
    mean = total.ravel() / 200_001
    mean -= model.components_[0] * (model.components_[0] @ mean)
    np.testing.assert_allclose(model.transform([long])[0], mean, atol=1e-5)


# Options


@pytest.mark.parametrize("partition", ["ksvd", "gmm", "kmeans", "auto"])
@pytest.mark.parametrize("codes", ["signed", "nonnegative", "unit", "nonnegative-unit"])
def test_partitions_and_codes_separate_the_subjects(partition, codes):
    vectors = small(partition=partition, codes=codes).fit_transform(TEXTS)
    assert vectors.shape == (60, 24)
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -np.inf)
    nearest = [SUBJECTS[i] for i in similarity.argmax(axis=1)]
    assert np.mean(np.array(nearest) == SUBJECTS) > 0.9


@pytest.mark.parametrize("weighting", ["sif", "idf", "sif-idf", "uniform"])
@pytest.mark.parametrize("counts", ["raw", "log"])
def test_weightings_and_counts_give_finite_vectors(weighting, counts):
    vectors = small(weighting=weighting, counts=counts).fit_transform(TEXTS)
    assert np.isfinite(vectors).all()
    assert vectors.any(axis=1).all()


@pytest.mark.parametrize("word_norm", ["none", "unit", "center", "all-but-the-top"])
def test_word_norms(word_norm):
    model = small(word_norm=word_norm).fit(TEXTS)
    np.testing.assert_array_equal(
        model.words_.vectors, prepare_vectors(corpora.vectors().matrix, word_norm)
    )


def test_auto_chooses_partition_and_topics():
    model = small(n_topics="auto", partition="auto").fit(TEXTS)
    assert model.partition_ == "gmm"
    assert model.n_topics_ >= 1
    long = small(partition="auto").fit([text * 5 for text in corpora.texts(n_words=30)])
    assert long.partition_ == "ksvd"


def test_compact_sizes():
    for unknown in ("skip", "hash"):
        model = small(n_dims=6, unknown=unknown)
        assert model.fit_transform(TEXTS).shape == (60, 6)
    # There are 24 numbers: nothing is to be made compact.
    assert small(n_dims=24).fit(TEXTS).table_ is None
    # Few documents span few dimensions; the size stays.
    few = small(n_dims=20).fit(TEXTS[:6])
    assert few.transform(TEXTS).shape == (60, 20)


def test_vectors_have_length_1():
    long = small().fit_transform(TEXTS)
    unit = small(normalize=True).fit_transform(TEXTS)
    np.testing.assert_allclose(np.linalg.norm(unit, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(unit * np.linalg.norm(long, axis=1)[:, None], long, atol=1e-6)
    for more in ({}, {"n_dims": 6}, {"n_dims": None}):
        model = PSIF(corpora.vectors(), n_topics=3, random_state=0, **more).fit(TEXTS)
        with pytest.warns(PsifWarning, match="1 of 2 documents"):
            vectors = model.transform(["ship sail", "qqq"])
        assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0])


def test_the_length_is_kept_when_a_model_is_saved(tmp_path):
    for normalize in (True, False):
        model = small(normalize=normalize).fit(TEXTS)
        model.save(tmp_path / "m")
        again = PSIF.load(tmp_path / "m")
        np.testing.assert_array_equal(again.transform(TEXTS), model.transform(TEXTS))


def test_compact_similarities_are_those_of_the_full_vectors_when_nothing_is_lost():
    full, compact = small(), small(n_dims=23)
    a = full.fit(TEXTS).similarity(TEXTS[:5], TEXTS[5:9])
    b = compact.fit(TEXTS).similarity(TEXTS[:5], TEXTS[5:9])
    np.testing.assert_allclose(a, b, atol=1e-3)


def test_frequencies_from_elsewhere(tmp_path):
    path = tmp_path / "counts.txt"
    path.write_text("the 999\nship 1\n", encoding="utf-8")
    model = small(frequencies=path).fit(TEXTS)
    the, ship = (model.words_.weights[model.vocabulary_.index[w]] for w in ("the", "ship"))
    assert the == pytest.approx(1e-3 / (1e-3 + 0.999), rel=1e-4)
    assert ship == pytest.approx(0.5, rel=1e-4)


def test_the_defaults_are_for_all_jobs():
    model = PSIF()
    assert len(model.get_params()) <= 24
    assert (model.n_dims, model.normalize, model.n_removed, model.n_active) == (512, True, 0, 2)
    with pytest.raises(TypeError, match="the projection to n_dims numbers is chosen by the model"):
        PSIF(compact="pca")


def test_presets():
    paper = PSIF.from_preset("paper", n_topics=20)
    assert (paper.n_topics, paper.vectors, paper.word_norm, paper.codes) == (
        20, "sgns", "none", "signed",
    )  # fmt: skip
    assert PSIF.from_preset("compact").n_dims == 512


@pytest.mark.parametrize("name", ["paper", "classification", "similarity", "compact"])
def test_every_preset_fits(name):
    size = {"n_topics": 3, "dim": 8, "min_count": 1, "random_state": 0, "n_jobs": 1}
    model = PSIF.from_preset(name, **size)
    if model.n_dims is not None:
        model.set_params(n_dims=4)
    assert np.isfinite(model.fit_transform(TEXTS)).all()


def test_unknown_preset():
    with pytest.raises(InputError, match=r"there are paper, classification, .*sentences"):
        PSIF.from_preset("papre")


# Looking at it


def test_topics_name_their_words(model):
    topics = model.topics(n_words=3)
    assert [t.index for t in topics] == [0, 1, 2]
    assert sum(t.share for t in topics) == pytest.approx(1)
    assert all(0 < len(t.words) <= 3 for t in topics)
    assert "topic   0" in str(topics[0])


def test_topics_of_clusters_are_the_subjects():
    model = small(partition="kmeans", n_topics=4).fit(TEXTS)
    tops = [set(t.words) for t in model.topics(n_words=8)]
    for group in corpora.GROUPS.values():
        assert set(group) in tops


def test_document_topics_sum_to_one(model):
    shares = model.document_topics(TEXTS)
    assert shares.shape == (60, 3)
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-5)
    assert (shares >= 0).all()
    assert not model.document_topics(["qqq"]).any()


def test_similarity_forms(model):
    a, b = TEXTS[:3], TEXTS[3:5]
    matrix = model.similarity(a, b)
    assert matrix.shape == (3, 2)
    paired = model.similarity(a[:2], b, paired=True)
    np.testing.assert_allclose(paired, np.diag(matrix), rtol=1e-5)
    single = model.similarity(a[0], b[0])
    assert isinstance(single, float)
    assert single == pytest.approx(matrix[0, 0], rel=1e-5)
    assert model.similarity(a[0], a[0]) == pytest.approx(1, abs=1e-5)
    with pytest.raises(InputError, match="as many texts on both sides; got 3 and 2"):
        model.similarity(a, b, paired=True)


# Bad input


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([], "there are no documents"),
        ("just one text", r"got a single text. Write \[text\]"),
        (b"bytes", "got a single text"),
        (42, "expected a list of documents, got int"),
        (["ship", b"sail"], r"document 1 is of type bytes, .*decode\('utf-8'\)"),
        (["", "  ", "..."], "none of the 3 documents has a word left"),
        (["qqq www"], "none of the 2 words of the corpus is in the table"),
        (["ship sail"], "removing 1 common components from 1 documents"),
    ],
)
def test_bad_documents(texts, message):
    with pytest.raises(InputError, match=message):
        small().fit(texts)


def test_fewer_words_than_topics_lower_the_number_of_topics():
    with pytest.warns(PsifWarning, match="n_topics=28, but there are only 27 .* n_topics_=2"):
        model = small(n_topics=28, n_active=5).fit(TEXTS)
    assert model.n_topics_ == 2
    assert model.transform(TEXTS).shape == (60, 16)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_topics": 0}, "n_topics must be a whole number from 1 up .or 'auto'.; got 0"),
        ({"n_topics": 2.5}, "n_topics must be a whole number"),
        ({"n_topics": "many"}, "n_topics must be a whole number"),
        ({"n_active": 4}, "n_active=4 is more than n_topics=3"),
        ({"n_active": 0}, "n_active must be a whole number from 1"),
        ({"a": 0}, "a must be a positive number"),
        ({"a": -1.0}, "a must be a positive number"),
        ({"a": float("nan")}, "a must be a positive number"),
        ({"a": "small"}, "a must be a positive number"),
        ({"n_removed": -1}, "n_removed must be a whole number from 0"),
        ({"n_removed": 24}, "removing 24 common components"),
        ({"normalize": "l2"}, "normalize must be True or False; got 'l2'"),
        ({"n_dims": 0}, "n_dims must be a whole number from 1"),
        ({"partition": "lda"}, "partition must be one of ksvd, gmm, kmeans, auto"),
        ({"weighting": "bm25"}, "weighting must be one of"),
        ({"word_norm": "l1"}, "word_norm must be one of"),
        ({"n_jobs": 0}, "n_jobs must be a positive number"),
        ({"train_options": {"vocabulary": "some"}}, "must be 'all' or 'corpus'; got 'some'"),
        ({"train_options": "window"}, "train_options must be a dict"),
        ({"tokenizer": "("}, "regular expression"),
        ({"frequencies": "nowhere.txt"}, "an existing file"),
    ],
)
def test_bad_settings(options, message):
    with pytest.raises(InputError, match=message):
        small(**options).fit(TEXTS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vectors": "pmi"}, "neither a trainer .* nor an existing file"),
        ({"min_count": 0}, "min_count must be at least 1"),
        ({"min_count": 10**6}, "no word occurs min_count=1000000 times"),
        ({"train_options": {"max_words": 0}}, "max_words must be at least 1"),
    ],
)
def test_bad_training(options, message):
    with pytest.raises(InputError, match=message):
        PSIF(**{"n_topics": 2, "dim": 4, **options}).fit(TEXTS)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_vectors_that_are_not_finite(bad):
    matrix = np.ones((3, 2))
    matrix[1, 0] = bad
    with pytest.raises(InputError, match=r"NaN or infinity, the first is that of 'b' \(row 1\)"):
        WordVectors(["a", "b", "c"], matrix)


def test_zero_vectors_are_unknown_words_with_a_warning():
    table = corpora.vectors()
    matrix = table.matrix.copy()
    matrix[table.index["ship"]] = 0
    with pytest.warns(PsifWarning, match="1 words have a zero vector .* 'ship'"):
        model = PSIF(WordVectors(table.words, matrix), n_topics=3).fit(TEXTS)
    assert "ship" not in model.vocabulary_.index
    assert model.coverage_ < 1
    with pytest.raises(InputError, match="all word vectors are zero"):
        PSIF(WordVectors(["ship"], np.zeros((1, 2))), n_topics=1).fit(TEXTS)


def test_other_bad_tables():
    with pytest.raises(InputError, match="'a' stands twice, in rows 0 and 2"):
        WordVectors(["a", "b", "a"], np.ones((3, 2)))
    with pytest.raises(InputError, match="2 words but 3 vectors"):
        WordVectors(["a", "b"], np.ones((3, 2)))
    with pytest.raises(InputError, match=r"2-D table .* got shape \(3,\)"):
        WordVectors(["a", "b", "c"], np.ones(3))


def test_more_topics_than_dimensions_work():
    vectors = small(n_topics=12).fit_transform(TEXTS)
    assert vectors.shape == (60, 96)
    assert np.isfinite(vectors).all()


def test_unfitted(model):
    for call in (
        lambda m: m.transform(["x"]),
        lambda m: m.topics(),
        lambda m: m.explain("a", "b"),
        lambda m: m.save("nowhere"),
        lambda m: m.get_feature_names_out(),
    ):
        with pytest.raises(NotFittedError, match="call fit") as caught:
            call(small())
        assert isinstance(caught.value, PsifError)
    assert issubclass(OurNotFittedError, PsifError)


def test_a_failed_refit_keeps_the_old_model(model):
    before = model.transform(["ship"])
    with pytest.raises(InputError):
        model.fit([])
    np.testing.assert_array_equal(model.transform(["ship"]), before)


# scikit-learn's ways


def test_pipelines_and_grid_search():
    pipeline = make_pipeline(small(), LogisticRegression())
    search = GridSearchCV(pipeline, {"psif__n_topics": [1, 3]}, cv=2)
    search.fit(TEXTS, SUBJECTS)
    assert search.best_score_ > 0.95


def test_clone_and_params():
    model = small(a=0.5)
    copy = clone(model)
    assert copy.get_params()["a"] == 0.5
    assert copy is not model


def test_set_output_and_feature_names(model):
    frame = small().set_output(transform="pandas").fit_transform(TEXTS[:10])
    assert list(frame.columns[:2]) == ["topic0_0", "topic0_1"]
    assert frame.shape == (10, 24)
    names = small(n_dims=2).fit(TEXTS).get_feature_names_out()
    assert names.tolist() == ["psif0", "psif1"]


def test_accepts_series_arrays_and_generators(model):
    import pandas as pd

    expected = small().fit_transform(TEXTS)
    for texts in (pd.Series(TEXTS), np.array(TEXTS, dtype=object), np.array(TEXTS)):
        np.testing.assert_array_equal(small().fit_transform(texts), expected)
    np.testing.assert_array_equal(small().fit_transform(t for t in TEXTS), expected)


def test_the_word_topic_table_never_exists():
    """Memory of an embedding is its output plus little, not words x topics x dimensions."""
    import tracemalloc

    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(20_000)]
    table = WordVectors(words, rng.standard_normal((20_000, 50)).astype(np.float32))
    texts = [" ".join(rng.choice(words, 20)) for _ in range(50)]
    model = PSIF(table, n_topics=40, random_state=0).fit(texts)
    docs = sorted_documents(FlatDocs.from_lists([d.tolist() for d in model.word_ids(texts)]))
    model.average(docs)  # compiled and prepared
    tracemalloc.start()
    out = model.average(docs)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    word_topic_table = 20_000 * 40 * 50 * 4
    assert peak < out.nbytes + 2**20 < word_topic_table / 50


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("n_topic", "PSIF has no parameter 'n_topic'; did you mean 'n_topics'?"),
        ("own_words", "PSIF has no parameter 'own_words': it is called 'word_columns'"),
        ("max_words", r"since version 0.2 write train_options=\{'max_words': ...\}"),
        ("whiten", "it was removed in version 0.2"),
        ("qqqqqq", "known are vectors, n_topics"),
    ],
)
def test_unknown_parameters_are_named(name, advice):
    with pytest.raises(TypeError, match=advice):
        PSIF(**{name: 1})


def test_at_most_24_parameters():
    assert len(PSIF().get_params()) <= 24


def test_fit_tells_its_progress():
    seen = []
    PSIF(n_topics=2, dim=4, min_count=1).fit(
        TEXTS, progress=lambda done, total: seen.append((done, total))
    )
    assert seen
    assert seen[-1][0] == seen[-1][1]
