"""Any partitioning gives the model and the vectors of one machine."""

from functools import lru_cache

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import PSIF, InputError
from psif.distributed import cooccurrences, fitting
from psif.distributed.corpus import ClusterCorpus
from psif.distributed.counting import merge_words, shard_words, to_tuple
from psif.documents.averaging import WordTopics
from psif.model.corpus import LocalCorpus
from psif.model.presets import PLAIN
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.vectors.ppmi import ppmi
from tests import corpora
from tests.distributed import inline
from tests.distributed.inline import InlineCluster, cut

pytestmark = pytest.mark.filterwarnings("ignore")  # tiny corpora support few dimensions

WORDS = ["a", "b", "ship", "größe", "漢", "x1", "sea", "sky"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), max_size=9)
BORDERS = st.lists(st.integers(0, 9), max_size=5)
IDS = st.lists(st.lists(st.integers(0, 5), max_size=12), min_size=1, max_size=8)


def attempt(function):
    """Return the value or the error."""
    try:
        return function(), None
    except InputError as error:
        return None, error


def assert_same_model(one, other, texts, atol=1e-6):
    assert other.vocabulary_.words == one.vocabulary_.words
    np.testing.assert_array_equal(other.vocabulary_.counts, one.vocabulary_.counts)
    np.testing.assert_array_equal(other.vocabulary_.doc_counts, one.vocabulary_.doc_counts)
    for name in ("n_docs_", "n_tokens_", "n_empty_", "coverage_", "n_topics_", "partition_"):
        assert getattr(other, name) == getattr(one, name), name
    np.testing.assert_allclose(other.words_.weights, one.words_.weights, rtol=1e-6)
    np.testing.assert_allclose(other.transform(texts), one.transform(texts), atol=atol)


@settings(max_examples=60, deadline=None)
@given(texts=TEXTS, borders=BORDERS, n_shards=st.integers(1, 4), data=st.data())
def test_any_partitioning_gives_the_same_model(texts, borders, n_shards, data):
    options = {**PLAIN, "n_topics": 2, "dim": 3, "random_state": 0, "n_removed": 0}
    options["min_count"] = data.draw(st.sampled_from([None, 1, 2]))
    options["train_options"] = {"max_words": data.draw(st.sampled_from([None, 3]))}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fitting, "_PARTITIONS_A_SHARD", 1)
        patch.setattr(fitting, "_MOST_SHARDS", n_shards)
        one, error = attempt(lambda: PSIF(**options).fit(texts))
        other, other_error = attempt(lambda: inline.fit(PSIF(**options), cut(texts, borders)))
    assert str(other_error) == str(error)
    if error is not None:
        return
    np.testing.assert_array_equal(other.words_.vectors, one.words_.vectors)
    assert_same_model(one, other, texts)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"n_removed": 2, "counts": "log", "weighting": "idf"},
        {"n_dims": 5},
        {"n_dims": 5, "unknown": "hash", "partition": "auto"},
        {"train_options": {"vocabulary": "corpus"}, "partition": "kmeans"},
        {"unknown": "hash", "smoothing": "documents", "word_norm": "zipf", "shared_topic": 0.5},
        {"word_columns": 0.4},
    ],
)
@pytest.mark.parametrize("vectors", ["ppmi", corpora.vectors()], ids=["trained", "given"])
def test_settings(options, vectors):
    texts = [*corpora.texts(), "nothing known here", ""]
    options = {"vectors": vectors, "n_topics": 3, "dim": 6, "random_state": 0, **options}
    one = PSIF(**{**PLAIN, **options}).fit(texts)
    other = inline.fit(PSIF(**{**PLAIN, **options}), cut(texts, [7, 7, 30, 41]))
    assert_same_model(one, other, texts, atol=1e-5)


@settings(max_examples=60, deadline=None)
@given(docs=IDS, borders=BORDERS, window=st.integers(1, 4), entries=st.integers(1, 40))
def test_ppmi_by_blocks_is_bit_for_bit_that_of_one_machine(docs, borders, window, entries):
    vocabulary = vocabulary_of(docs)
    parts = parts_of(docs, borders)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cooccurrences, "_LEAST_ENTRIES", 1)
        patch.setattr(cooccurrences, "_BLOCK_ENTRIES", entries)
        options = {"dim": 3, "random_state": 0, "window": window}
        other = cooccurrences.train_ppmi(InlineCluster(None), parts, vocabulary, **options)
    one = ppmi(FlatDocs.from_lists(docs), vocabulary, **options)
    np.testing.assert_array_equal(other, one)


@pytest.mark.parametrize("borders", [[], [37, 120]])
def test_ppmi_of_many_words_is_bit_for_bit_that_of_one_machine(borders):
    # More words than are factorised exactly: sums over rows, whose order must not matter.
    rng = np.random.default_rng(0)
    docs = [(rng.random(40) ** 2 * 1500).astype(int).tolist() for _ in range(200)]
    vocabulary = vocabulary_of(docs, 1500)
    options = {"dim": 8, "random_state": 0}
    parts = parts_of(docs, borders)
    other = cooccurrences.train_ppmi(InlineCluster(None), parts, vocabulary, **options)
    one = ppmi(FlatDocs.from_lists(docs), vocabulary, **options)
    np.testing.assert_array_equal(other, one)


@settings(max_examples=60, deadline=None)
@given(docs=IDS, borders=BORDERS, size=st.integers(1, 9), seed=st.integers(0, 99))
def test_moment_and_sample(docs, borders, size, seed):
    rng = np.random.default_rng(seed)
    nothing = np.zeros((6, 0), dtype=np.float32)
    words = WordTopics(rng.uniform(0.1, 1, 6).astype(np.float32), nothing, nothing, "raw")
    one = LocalCorpus(FlatDocs.from_lists(docs)).sort()
    other = ClusterCorpus(InlineCluster(None), parts_of(docs, borders)).sort()
    assert other.size == one.size
    values = rng.standard_normal(6)
    np.testing.assert_allclose(
        other.moment(words, values), one.moment(words, values), rtol=1e-9, atol=1e-12
    )
    for a, b in zip(other.sample(size, seed), one.sample(size, seed), strict=True):
        np.testing.assert_array_equal(a, b)


@given(parts=st.lists(st.lists(st.sampled_from(WORDS), max_size=9), min_size=1, max_size=5))
def test_words_of_all_shards_add_up(parts):
    counted = []
    for words in parts:
        kinds = sorted(set(words))
        counts = np.array([words.count(word) for word in kinds], dtype=np.int64)
        counted.append(((kinds, counts, counts), None, None))
    shards = [merge_words([shard_words(part, i, 3) for part in counted]) for i in range(3)]
    found = {w: int(n) for words, counts, _ in shards for w, n in zip(words, counts, strict=True)}
    everything = [word for words in parts for word in words]
    assert found == {word: everything.count(word) for word in set(everything)}


@settings(max_examples=25, deadline=None)
@given(texts=TEXTS, borders=BORDERS, dtype=st.sampled_from(["float32", "float16", "int8"]))
def test_transform_writes_every_document_once(tmp_path_factory, texts, borders, dtype):
    model, folder = saved_model(tmp_path_factory.getbasetemp() / "saved")
    out = tmp_path_factory.mktemp("out")
    items = [(f"doc {i}", text) for i, text in enumerate(texts)]
    report = inline.transform(folder, cut(items, borders), out=out, dtype=dtype)
    assert report.n_docs == len(texts)
    table = pq.read_table(out)
    assert table["id"].to_pylist() == [key for key, _ in items]
    if texts and dtype == "float32":
        vectors = np.array(table["vector"].to_pylist(), dtype=np.float32)
        np.testing.assert_array_equal(vectors, model.transform(texts))


@lru_cache
def saved_model(folder):
    vectors = corpora.vectors(4)
    model = PSIF(vectors, n_topics=2, random_state=0, n_removed=0).fit(corpora.texts(6))
    model.save(folder)
    return model, folder


def parts_of(docs, borders):
    return [to_tuple(FlatDocs.from_lists(list(part))) for part in cut(docs, borders).to_delayed()]


def vocabulary_of(docs, n_words=6):
    counts = np.bincount([w for doc in docs for w in doc], minlength=n_words).astype(np.int64)
    return Vocabulary([f"w{i}" for i in range(n_words)], counts, counts, len(docs))


def test_a_small_english_corpus_is_joined_with_the_table_in_any_partitioning():
    texts = [
        "the printer is jammed again", "the zyqor portal is down", "", "please refund my invoice",
        "my zyqor password is refused", "the printer is out of paper",
    ]  # fmt: skip
    one = PSIF(random_state=0).fit(texts)
    other = inline.fit(PSIF(random_state=0), cut(texts, [1, 4]))
    assert one.vectors_ == other.vectors_ == "english"
    assert_same_model(one, other, [*texts, "a new word"])
