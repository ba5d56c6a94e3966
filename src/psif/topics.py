"""What each partition is about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.averaging import WordTopics
from psif.types import CountVector, DoubleVector


@dataclass(frozen=True)
class Topic:
    """One partition of the word-vector space.

    Attributes
    ----------
    index : int
    share : float
        Its share of the corpus: how much of all weighted words' codes it carries.
    words : list of str
        Most characteristic words, strongest first.
    scores : list of float
        Codes of those words.
    opposite_words : list of str
        Strongest words with a negative code, where codes are signed.
    """

    index: int
    share: float
    words: list[str]
    scores: list[float]
    opposite_words: list[str]

    def __str__(self) -> str:
        return f"topic {self.index:>3}  {self.share:6.1%}  {' '.join(self.words)}"


def describe_topics(
    words: WordTopics, names: list[str], counts: CountVector, n_words: int
) -> list[Topic]:
    """Characteristic words and corpus share of every topic.

    A word is characteristic when its code is large and the word is not rare: it is ranked by
    code times ln(1 + count), among words of the corpus (all words where counts are zero).
    """
    shares = topic_shares(words, counts)
    familiarity = np.log1p(counts if counts.any() else np.ones_like(counts))
    topics = []
    for index, (column, share) in enumerate(zip(words.codes.T, shares, strict=True)):
        ranking = column * familiarity
        best = [i for i in np.argsort(-ranking, kind="stable")[:n_words] if ranking[i] > 0]
        worst = [i for i in np.argsort(ranking, kind="stable")[:n_words] if ranking[i] < 0]
        topics.append(
            Topic(
                index,
                float(share),
                [names[i] for i in best],
                [float(column[i]) for i in best],
                [names[i] for i in worst],
            )
        )
    return topics


def topic_shares(words: WordTopics, counts: CountVector) -> DoubleVector:
    r"""Share of each topic in the corpus: :math:`\sum_w n_w \lambda_w |\alpha_{w,j}|`, scaled."""
    occurrences = counts if counts.any() else np.ones_like(counts)
    mass = occurrences.astype(np.float64) * words.weights
    shares: DoubleVector = mass @ np.abs(words.codes).astype(np.float64)
    return shares / (float(shares.sum()) or 1.0)
