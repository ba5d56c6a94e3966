r"""What the topics of a model are about, learned from the documents of a fit.

How a topic is named need not be how it is learned. A document has a share of each topic
(:func:`psif.explain.topics.document_shares`); what stands out is the share above the mean of the
corpus, and a topic is named after the words of the documents in which it stands out:

.. math:: e_{d,j} = \max(0, \theta_{d,j} - \bar\theta_j)^2, \qquad
          m_{j,w} = \sum_d e_{d,j} \, (1 + \ln n_{d,w})

The square leaves the name to the documents that are most about a topic. These masses are what
:func:`psif.explain.naming.characteristic_words` needs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from psif.documents.averaging import WordTopics
from psif.explain.naming import characteristic_ids
from psif.explain.topics import document_shares
from psif.text.bags import bags_of
from psif.text.flat import FlatDocs
from psif.types import CountVector, FloatMatrix, FloatVector

# Documents that names are learned from: more of the same corpus change nothing.
N_DOCUMENTS = 16_384
# Words that are kept per topic.
_KEPT = 50
# a in a / (a + p(w)), where topics are named after codes alone: words with a share above it, one in
# a hundred thousand, do not count more the more frequent they are.
_RARITY = 1e-5


@dataclass(frozen=True)
class TopicWords:
    """Characteristic words of each topic, and the mean share of each topic in a document.

    Attributes
    ----------
    ids : ndarray of shape (n_topics, n_words)
        Word ids, the most characteristic first; -1 after the last.
    scores : ndarray of shape (n_topics, n_words)
        How characteristic; see :mod:`psif.explain.naming`.
    means : ndarray of shape (n_topics,)
    """

    ids: NDArray[np.int64]
    scores: FloatMatrix
    means: FloatVector

    def of(self, topic: int, n_words: int) -> tuple[list[int], list[float]]:
        """Return the ids and scores of the words of a topic."""
        kept = self.ids[topic] >= 0
        ids: list[int] = self.ids[topic][kept][:n_words].tolist()
        scores: list[float] = self.scores[topic][kept][:n_words].tolist()
        return ids, scores


def learn_topic_words(
    words: WordTopics, names: list[str], docs: FlatDocs, n_jobs: int | None = None
) -> TopicWords:
    """Name topics after the documents in which they stand out; ``docs`` are sorted."""
    from scipy.sparse import csr_array

    shares = document_shares(words, docs, n_jobs)
    means = shares.mean(axis=0) if len(docs) else np.zeros(words.n_topics, dtype=np.float32)
    offsets, ids, counts = bags_of(docs)
    bags = csr_array(
        ((1 + np.log(counts)).astype(np.float32), ids, offsets), shape=(len(docs), len(names))
    )
    above = np.square(np.maximum(shares - means, 0))
    mass = np.asarray(bags.T @ above, dtype=np.float64).T
    background = np.asarray(bags.sum(axis=0), dtype=np.float64).ravel()
    return _packed(*characteristic_ids(mass, background, names, _KEPT), means)


def topic_words_of_codes(words: WordTopics, names: list[str], counts: CountVector) -> TopicWords:
    """Name topics after the codes of their words, where there are no documents to learn from.

    Smooth inverse frequencies keep frequent words, which belong a little to many topics, out of
    the names.
    """
    occurrences = counts if counts.any() else np.ones_like(counts)
    weights = words.weights.astype(np.float64)
    rarity = _RARITY / (_RARITY + occurrences / occurrences.sum())
    background = occurrences * weights * rarity
    positive = np.where(words.codes > 0, words.topic_weights(), 0)
    mass = positive.T * background
    every = (occurrences * weights) @ words.topic_weights().astype(np.float64)
    means = (every / (every.sum() or 1.0)).astype(np.float32)
    return _packed(*characteristic_ids(mass, background, names, _KEPT), means)


def _packed(
    ids: list[NDArray[np.int32]], scores: list[NDArray[np.float64]], means: FloatVector
) -> TopicWords:
    width = max((len(row) for row in ids), default=0)
    table = np.full((len(ids), width), -1, dtype=np.int64)
    values = np.zeros((len(ids), width), dtype=np.float32)
    for topic, (row, score) in enumerate(zip(ids, scores, strict=True)):
        table[topic, : len(row)] = row
        values[topic, : len(row)] = score
    return TopicWords(table, values, means.astype(np.float32))
