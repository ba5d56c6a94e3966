"""Settings beyond the paper: unknown words, words by their documents, a shared topic."""

import numpy as np
import pytest

from psif import PSIF, InputError, WordVectors
from psif.model.presets import PLAIN
from psif.runtime.norms import unit_rows
from tests import corpora

REFINED = {
    "n_topics": 3,
    "codes": "nonnegative-unit",
    "shared_topic": 0.5,
    "word_norm": "zipf",
    "unknown": "hash",
    "smoothing": "documents",
    "weighting": "root-idf",
    "counts": "log",
    "random_state": 0,
}


def fitted(**options):
    return PSIF(corpora.vectors(), **{**PLAIN, **REFINED, **options}).fit(corpora.texts())


@pytest.mark.parametrize("word_norm", ["unit", "zipf"])
def test_an_unknown_name_in_both_texts_makes_them_alike(word_norm):
    same, other = ("ship zbo", "bread zbo"), ("ship zbo", "bread okc")
    plain = {**PLAIN, "n_topics": 1, "n_removed": 0, "word_norm": word_norm}
    skipping = PSIF(corpora.vectors(), **plain, random_state=0)
    hashing = PSIF(**{**skipping.get_params(), "unknown": "hash"})
    for model in (skipping, hashing):
        model.fit(corpora.texts())
    assert skipping.similarity(*same) == pytest.approx(skipping.similarity(*other))
    assert hashing.similarity(*same) > hashing.similarity(*other) + 0.3


def test_unknown_words_of_the_corpus_are_treated_as_those_of_new_texts():
    texts = [f"{text} zbo" for text in corpora.texts()]
    model = PSIF(corpora.vectors(), **{**PLAIN, **REFINED})
    np.testing.assert_allclose(model.fit_transform(texts), model.transform(texts), atol=1e-6)
    assert model.coverage_ == pytest.approx(16 / 17)
    assert model.vocabulary_.coverage(model.word_ids(["ship zbo okc okc"])) == 0.25


def test_frequent_unknown_words_weigh_little():
    texts = [f"{text} zbo zbo zbo" for text in corpora.texts()]
    model = PSIF(corpora.vectors(), **{**PLAIN, "n_topics": 2}, random_state=0, unknown="hash").fit(
        texts
    )
    zbo, okc = (int(model.word_ids([word]).ids[0]) for word in ("zbo", "okc"))
    assert model.words_.weights[zbo] < 0.01
    assert model.words_.weights[okc] == 1


def test_buckets_describe_no_topic():
    model = fitted()
    shown = {word for topic in model.topics() for word in topic.words}
    assert shown <= set(corpora.vectors().words)


def test_explanations_stay_exact():
    model = fitted()
    result = model.explain("ship zbo the harbour", "zbo anchor and bread")
    assert result.score == pytest.approx(
        model.similarity("ship zbo the harbour", "zbo anchor and bread"), abs=1e-5
    )
    parts = sum(t.share for t in result.topics) + result.removed
    assert parts == pytest.approx(result.score, abs=1e-9)


def test_saved_and_loaded(tmp_path):
    model = fitted()
    model.save(tmp_path / "model")
    texts = ["ship zbo", "bread butter okc", ""]
    with pytest.warns(match="zero"):
        expected = model.transform(texts)
    with pytest.warns(match="zero"):
        found = PSIF.load(tmp_path / "model").transform(texts)
    np.testing.assert_array_equal(found, expected)


def test_threads_do_not_change_the_result():
    texts = corpora.texts()
    one, two = (fitted(n_jobs=n).transform(texts) for n in (1, 2))
    np.testing.assert_allclose(two, one, atol=1e-6)


def test_the_shared_topic_counts_among_the_topics():
    model = fitted(n_removed=0)
    assert model.n_topics_ == model.words_.n_topics == len(model.atoms_) == 3
    np.testing.assert_allclose(model.words_.codes[:, 0], np.sqrt(0.5), rtol=1e-6)
    # Its block is the plain average: the model of one topic, up to the factor √½.
    plain = fitted(n_topics=1, n_removed=0)
    texts = corpora.texts()
    block = model.transform(texts)[:, : plain.n_features_out_]
    np.testing.assert_allclose(block, plain.transform(texts) * np.sqrt(0.5), atol=1e-5)


def test_documents_bring_together_words_that_never_meet_in_a_window():
    # Words of vectors that know nothing: only documents tell which belong together.
    rng = np.random.default_rng(0)
    words = corpora.vectors().words
    table = WordVectors(words, rng.standard_normal((len(words), corpora.vectors().dim)))
    settings = {"n_topics": 1, "n_removed": 0, "word_norm": "zipf", "random_state": 0}

    def gap(smoothing):
        model = PSIF(table, **{**PLAIN, "smoothing": smoothing, **settings}).fit(corpora.texts(200))
        groups = [
            model.words_.vectors[[model.vocabulary_.index[w] for w in group]]
            for group in corpora.GROUPS.values()
        ]
        units = [unit_rows(group) for group in groups]
        within = np.mean([np.mean(u @ u.T) for u in units])
        return within - np.mean(units[0] @ units[1].T)

    assert gap("documents") > gap("none") + 0.5


def test_phrases_are_joined_in_new_documents_too(tmp_path):
    texts = [text + " magna carta" * (i % 3 == 0) for i, text in enumerate(corpora.texts())]
    model = PSIF(phrases=1, n_topics=2, dim=4, random_state=0)
    vectors = model.fit_transform(texts)
    assert "magna_carta" in model.vocabulary_.index
    assert "magna" not in model.vocabulary_.index
    np.testing.assert_allclose(model.transform(texts), vectors, atol=1e-6)
    model.save(tmp_path / "model")
    loaded = PSIF.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.transform(texts), model.transform(texts))
    assert "magna_carta" in loaded.explain("magna carta", "the magna carta").words_a


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("shared_topic", 1.0),
        ("shared_topic", -0.1),
        ("unknown", "x"),
        ("smoothing", "x"),
        ("phrases", -1),
    ],
)
def test_wrong_settings_are_refused(name, value):
    with pytest.raises(InputError, match=name):
        PSIF(corpora.vectors(), **{name: value}).fit(corpora.texts())
