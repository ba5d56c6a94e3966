"""From a counted corpus to all that a model learns: one path, wherever the documents are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from psif.averaging import WordTopics
from psif.compact import fold_words, learn_projection, sample_size
from psif.components import leading_components
from psif.corpus import Corpus
from psif.lexicon import Lexicon, complete_lexicon, open_vectors
from psif.parallel import resolve_jobs
from psif.partitions.selection import choose_n_topics, choose_partition, make_partition
from psif.partitions.shaping import shape_codes
from psif.seeds import draw_seed
from psif.settings import check_settings
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary
from psif.types import CountVector, FloatMatrix
from psif.vectors.preparation import prepare_vectors
from psif.weights import word_probabilities, word_weights

# Topics are learned from the words of the corpus when it has this many a topic, else from the
# whole table of vectors: few words would make topics of single words.
_WORDS_A_TOPIC = 20
_MOST_TABLE_WORDS = 50_000


@dataclass(frozen=True)
class Topics:
    """Topics, and the code of each word in them."""

    n_topics: int
    partition: str
    atoms: FloatMatrix
    losses: list[float]
    codes: FloatMatrix


class Fit:
    """One fit. Making it checks the settings and opens the vectors, before any document is read.

    Parameters
    ----------
    params : mapping
        The parameters of :class:`psif.PSIF`.
    """

    def __init__(self, params: Mapping[str, Any]) -> None:
        check_settings(params)
        resolve_jobs(params["n_jobs"])
        self.params = dict(params)
        self.seed = draw_seed(params["random_state"])
        self.tokenizer = Tokenizer.of(params["tokenizer"])
        self.table = open_vectors(params["vectors"])

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
        lexicon = self._lexicon(counted, corpus)
        corpus, known, shares = lexicon.corpus.sort(), lexicon.vocabulary, lexicon.probs
        size = corpus.size
        vectors = prepare_vectors(lexicon.vectors, params["word_norm"])
        del lexicon  # and with it the ids in reading order
        name = choose_partition(params["partition"], n_short=size.n_short, n_docs=size.n_docs)
        topics = corpus.run(learn_topics, vectors, known.counts, name, self._plain(), self.seed)
        probs = word_probabilities(known.words, params["frequencies"], shares)
        words = WordTopics(
            word_weights(params["weighting"], params["a"], probs, known.doc_counts, known.n_docs),
            topics.codes,
            vectors,
            params["counts"],
        )
        components = leading_components(
            words,
            lambda values: corpus.moment(words, values),
            params["n_removed"],
            n_nonempty=size.n_docs - size.n_empty,
            n_jobs=params["n_jobs"],
        )
        learned = {
            "vocabulary_": known,
            "tokenizer_": self.tokenizer,
            "words_": words,
            "n_topics_": topics.n_topics,
            "partition_": topics.partition,
            "atoms_": topics.atoms,
            "losses_": topics.losses,
            "components_": components,
            "table_": self._compact(words, corpus, components),
            "n_docs_": size.n_docs,
            "n_tokens_": size.n_tokens,
            "coverage_": size.coverage,
            "n_empty_": size.n_empty,
        }
        return learned, corpus

    def _lexicon(self, counted: Vocabulary, corpus: Corpus) -> Lexicon:
        names = (
            "dim", "min_count", "max_words", "max_doc_share", "vocabulary", "train_options",
        )  # fmt: skip
        return complete_lexicon(
            counted,
            corpus,
            self.params["vectors"] if self.table is None else self.table,
            self.tokenizer,
            random_state=self.seed,
            **{name: self.params[name] for name in names},
        )

    def _compact(
        self, words: WordTopics, corpus: Corpus, components: FloatMatrix
    ) -> FloatMatrix | None:
        params = self.params
        n_dims = params["n_dims"]
        if n_dims is None:
            return None
        projection = learn_projection(
            words,
            corpus.sample(sample_size(words.n_features, n_dims), self.seed),
            components,
            n_dims,
            method=params["compact"],
            whiten=params["whiten"],
            random_state=self.seed,
            n_jobs=params["n_jobs"],
        )
        return fold_words(words, components, projection)

    def _plain(self) -> dict[str, Any]:
        """Return the settings of the partition, without the objects that others may hold."""
        names = ("n_topics", "n_active", "covariance", "init", "max_iter", "tol", "codes", "n_jobs")
        return {name: self.params[name] for name in names}


def learn_topics(
    vectors: FloatMatrix, counts: CountVector, name: str, settings: Mapping[str, Any], seed: int
) -> Topics:
    """Learn the topics from the words of the corpus, the most frequent first."""
    n_topics, n_jobs = settings["n_topics"], settings["n_jobs"]
    least = _WORDS_A_TOPIC * (n_topics if isinstance(n_topics, int) else 40)
    order = np.argsort(-counts, kind="stable")
    n_seen = int((counts > 0).sum())
    chosen = order[:n_seen] if n_seen >= least else order[: max(n_seen, _MOST_TABLE_WORDS)]
    sample = vectors if len(chosen) == len(vectors) else vectors[chosen]
    if n_topics == "auto":
        n_topics, _ = choose_n_topics(sample, random_state=seed, n_jobs=n_jobs)
    learner = make_partition(
        name,
        int(n_topics),
        n_active=settings["n_active"],
        covariance=settings["covariance"],
        init=settings["init"],
        max_iter=settings["max_iter"],
        tol=settings["tol"],
        random_state=seed,
        n_jobs=n_jobs,
    )
    learned = learner.fit(sample)
    codes = shape_codes(learned.encode(vectors), settings["codes"])
    return Topics(int(n_topics), name, learned.atoms_, learned.losses_, codes)
