"""The steps of a fit, from a counted corpus to a model, in memory or on a cluster."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from psif.documents.averaging import WordTopics
from psif.documents.components import leading_components
from psif.documents.projected_columns import project_with_columns
from psif.documents.projection import fold_words, learn_projection, sample_size
from psif.documents.smoothing import smoothed_vectors
from psif.documents.weights import word_probabilities, word_weights
from psif.documents.word_columns import WordColumns
from psif.errors import PsifWarning
from psif.explain.topic_words import N_DOCUMENTS, learn_topic_words
from psif.model.corpus import Corpus
from psif.model.joining import find_table, join, leaves_open
from psif.model.known_words import KnownWords, VectorOptions, find_vectors, open_vectors
from psif.model.settings import check_settings
from psif.partitions.selection import choose_n_topics, choose_partition, make_partition
from psif.partitions.shaping import add_shared_topic, n_shared, shape_codes
from psif.runtime.seeds import draw_seed
from psif.runtime.threads import resolve_jobs
from psif.text.buckets import N_BUCKETS
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary
from psif.types import CountVector, DoubleVector, FloatMatrix, FloatVector
from psif.vectors.hashed import hashed_vectors
from psif.vectors.preparation import prepare_vectors

# Topics are learned from the words of the corpus if it has this many words per topic, else from
# the whole table of vectors: with few words, a topic would be a single word.
_WORDS_A_TOPIC = 20
_MOST_TABLE_WORDS = 50_000
# The largest number of word columns, in full vectors and in compact ones, where the columns are
# projected and rare words no longer matter.
MOST_COLUMNS = 32_768
MOST_COMPACT_COLUMNS = 8_192
# Length of the vectors of unknown words, relative to the mean length of word vectors.
_BUCKET_LENGTH = 1.25


@dataclass(frozen=True)
class Topics:
    """Topics, and the topic codes of each word."""

    n_topics: int
    partition: str
    atoms: FloatMatrix
    losses: list[float]
    codes: FloatMatrix


class Fit:
    """One fit. It checks the settings and opens the vectors before any document is read.

    Parameters
    ----------
    params : mapping
        The parameters of :class:`psif.PSIF`.
    """

    def __init__(self, params: Mapping[str, Any]) -> None:
        check_settings(params)
        resolve_jobs(params["n_jobs"])
        # Small corpora in a language that psif has a table of are joined with it.
        self.may_join = leaves_open(params)
        self.params = dict(params)
        if params["vectors"] == "auto":
            self.params["vectors"] = "ppmi"
        self.seed = draw_seed(params["random_state"])
        self.tokenizer = Tokenizer.of(params["tokenizer"])
        self.options = VectorOptions.split(params["train_options"])
        self.table = open_vectors(self.params["vectors"])

    def learn(self, counted: Vocabulary, corpus: Corpus) -> tuple[dict[str, Any], Corpus]:
        """Learn from a corpus whose words have been counted.

        Returns
        -------
        learned : dict
            The learned attributes of :class:`psif.PSIF`, by name.
        corpus : Corpus
            The documents as sorted ids of known words.
        """
        params = self.params
        ready = find_table(counted, corpus.size.n_tokens) if self.may_join else None
        if ready is not None:
            learned, corpus = join(*ready, counted, corpus, params, self.seed)
            return {**learned, "tokenizer_": self.tokenizer}, corpus
        known_words = self._known_words(counted, corpus)
        corpus, known = known_words.corpus.sort(), known_words.vocabulary
        size = corpus.size
        probs = self._probabilities(known_words)
        weights = word_weights(
            params["weighting"], params["a"], probs, known.doc_counts, known.n_docs
        )
        vectors = self._vectors(known_words.vectors, known, probs, weights, corpus)
        del known_words  # and with it the ids in reading order
        name = choose_partition(params["partition"], n_short=size.n_short, n_docs=size.n_docs)
        counts = known.counts[: known.n_known]
        topics = learn_topics(vectors, counts, name, params, self.seed)
        words = WordTopics(
            weights,
            topics.codes,
            vectors,
            params["counts"],
            n_shared(params["shared_topic"], topics.n_topics),
        )
        components = leading_components(
            words,
            lambda values: corpus.moment(words, values),
            params["n_removed"],
            n_nonempty=size.n_docs - size.n_empty,
            n_jobs=params["n_jobs"],
        )
        vocabulary = _without_counts(known)
        word_columns = None
        if params["word_columns"]:
            most = MOST_COLUMNS if params["n_dims"] is None else MOST_COMPACT_COLUMNS
            word_columns = WordColumns.choose(
                vocabulary, params["word_columns"], most, words.n_features
            )
        table, word_columns = self._compact(words, word_columns, corpus, components)
        learned = {
            "vocabulary_": vocabulary,
            "tokenizer_": self.tokenizer,
            "words_": words,
            "n_topics_": topics.n_topics,
            "partition_": topics.partition,
            "atoms_": topics.atoms,
            "losses_": topics.losses,
            "components_": components,
            "word_columns_": word_columns,
            "table_": table,
            "topic_words_": learn_topic_words(
                words, vocabulary.words, corpus.sample(N_DOCUMENTS, self.seed), params["n_jobs"]
            ),
            "vectors_": params["vectors"] if self.table is None else "given",
            "n_docs_": size.n_docs,
            "n_tokens_": size.n_tokens,
            "coverage_": int(counts.sum()) / size.n_tokens,
            "n_empty_": size.n_empty,
            "checksum_": None,
        }
        return learned, corpus

    def _known_words(self, counted: Vocabulary, corpus: Corpus) -> KnownWords:
        return find_vectors(
            counted,
            corpus,
            self.params["vectors"] if self.table is None else self.table,
            self.tokenizer,
            dim=self.params["dim"],
            min_count=self.params["min_count"],
            options=self.options,
            random_state=self.seed,
            n_buckets=N_BUCKETS if self.params["unknown"] == "hash" else 0,
        )

    def _probabilities(self, known_words: KnownWords) -> DoubleVector:
        """Return p(w). For buckets, which no list of frequencies has, it is that of the corpus."""
        known, shares = known_words.vocabulary, known_words.probs
        n_known = known.n_known
        real = word_probabilities(
            known.words[:n_known], self.params["frequencies"], shares[:n_known]
        )
        return np.concatenate([real, shares[n_known:]])

    def _vectors(
        self,
        vectors: FloatMatrix,
        known: Vocabulary,
        probs: DoubleVector,
        weights: FloatVector,
        corpus: Corpus,
    ) -> FloatMatrix:
        """Return the prepared vectors of words and buckets, smoothed if the settings say so."""
        n_known = len(vectors)

        def prepare(raw: FloatMatrix) -> FloatMatrix:
            prepared = prepare_vectors(
                raw, self.params["word_norm"], probs[:n_known], n_jobs=self.params["n_jobs"]
            )
            return with_buckets(prepared, known.words[n_known:])

        prepared = prepare(vectors)
        if self.params["smoothing"] == "none":
            return prepared
        ones = np.ones((len(prepared), 1), dtype=np.float32)
        plain = WordTopics(weights, ones, prepared, self.params["counts"])
        means = smoothed_vectors(prepared, corpus.context_sums(plain), known.doc_counts)
        return prepare(means[:n_known])

    def _compact(
        self,
        words: WordTopics,
        word_columns: WordColumns | None,
        corpus: Corpus,
        components: FloatMatrix,
    ) -> tuple[FloatMatrix | None, WordColumns | None]:
        params = self.params
        n_dims = params["n_dims"]
        n_features = words.n_features + (word_columns.n_columns if word_columns else 0)
        if n_dims is None or n_features <= n_dims:
            return None, word_columns
        sample = corpus.sample(sample_size(words.n_features, n_dims), self.seed)
        options = {
            # Principal directions miss what is rare. Who gives unknown words directions of their
            # own wants those to count.
            "method": "pca+random" if params["unknown"] == "hash" else "pca",
            "random_state": self.seed,
            "n_jobs": params["n_jobs"],
        }
        if word_columns is not None:
            return project_with_columns(words, word_columns, sample, components, n_dims, **options)
        projection = learn_projection(words, sample, components, n_dims, **options)
        return fold_words(words, components, projection, n_jobs=params["n_jobs"]), None


def learn_topics(
    vectors: FloatMatrix, counts: CountVector, name: str, settings: Mapping[str, Any], seed: int
) -> Topics:
    """Learn the topics from the words of the corpus, the most frequent first.

    ``counts`` are the counts of words. Further rows of ``vectors`` are buckets: they get codes but
    do not shape the topics.
    """
    n_topics, n_jobs = settings["n_topics"], settings["n_jobs"]
    least = _WORDS_A_TOPIC * (n_topics if isinstance(n_topics, int) else 40)
    order = np.argsort(-counts, kind="stable")
    n_seen = int((counts > 0).sum())
    chosen = order[:n_seen] if n_seen >= least else order[: max(n_seen, _MOST_TABLE_WORDS)]
    sample = vectors if len(chosen) == len(vectors) else vectors[chosen]
    if n_topics == "auto":
        n_topics, _ = choose_n_topics(sample, random_state=seed, n_jobs=n_jobs)
    n_topics = _affordable_topics(int(n_topics), len(sample))
    # One of the topics is the one that all words share; a single topic is that already.
    share = settings["shared_topic"] if n_topics > 1 else 0.0
    n_learned, n_active = n_topics - (share > 0), settings["n_active"]
    learner = make_partition(
        name,
        n_learned,
        n_active=None if n_active is None else min(n_active, n_learned),
        random_state=seed,
        n_jobs=n_jobs,
    )
    learned = learner.fit(sample)
    codes, atoms = shape_codes(learned.encode(vectors), settings["codes"]), learned.atoms_
    if share:
        codes = add_shared_topic(codes, share)
        atoms = np.vstack([sample.mean(axis=0, keepdims=True), atoms])
    return Topics(n_topics, name, atoms, learned.losses_, codes)


def _affordable_topics(n_topics: int, n_words: int) -> int:
    """Lower the number of topics where there are fewer words than topics."""
    if n_topics <= n_words:
        return n_topics
    # A topic is shared by several words: ten a topic, as on the command line.
    lowered = max(1, n_words // 10)
    warnings.warn(
        f"n_topics={n_topics}, but there are only {n_words} different words: "
        f"the model has n_topics_={lowered}. More documents allow more topics.",
        PsifWarning,
        stacklevel=2,
    )
    return lowered


def with_buckets(vectors: FloatMatrix, names: list[str]) -> FloatMatrix:
    """Append the vectors of buckets: random directions, longer than the average word vector.

    A word outside the vocabulary is rare, often a name or a number, and says more than most words.
    """
    if not names:
        return vectors
    length = _BUCKET_LENGTH * np.linalg.norm(vectors, axis=1).mean(dtype=np.float64)
    return np.vstack([vectors, hashed_vectors(names, vectors.shape[1]) * np.float32(length)])


def _without_counts(known: Vocabulary) -> Vocabulary:
    """Set the counts of buckets to zero, so that no topic is described by a bucket."""
    if not known.n_buckets:
        return known
    real = np.arange(len(known)) < known.n_known
    return replace(known, counts=known.counts * real, doc_counts=known.doc_counts * real)
