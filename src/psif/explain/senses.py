r"""Words with several senses: each topic of a word is one sense.

This shows a claim of the paper: a word uses several topics and has other neighbours in each. In
topic j the similarity of two words is that of their blocks of the word-topic vector,

.. math:: \langle \alpha_{w,j} v_w, \alpha_{u,j} v_u \rangle
          = \alpha_{w,j} \, \alpha_{u,j} \, \langle v_w, v_u \rangle
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from psif.documents.averaging import WordTopics
from psif.errors import InputError
from psif.explain.topics import familiarity_of
from psif.runtime.norms import unit_rows
from psif.runtime.suggestions import nearest_name
from psif.text.vocabulary import Vocabulary
from psif.types import FloatMatrix

_LISTED = 20
# Words below this share of the familiarity of the most familiar word are too rare to be listed.
_LEAST_FAMILIARITY = 0.35


@dataclass(frozen=True)
class Sense:
    """One topic of a word.

    Attributes
    ----------
    topic : int
    code : float
        The coefficient of the word in this topic.
    share : float
        Share of this topic in the squared coefficients of the word.
    words : list of str
        The nearest words in this topic.
    """

    topic: int
    code: float
    share: float
    words: list[str]

    def __str__(self) -> str:
        return f"topic {self.topic:>3}  {self.share:6.1%}  {' '.join(self.words)}"


def find_senses(
    words: WordTopics,
    vocabulary: Vocabulary,
    atoms: FloatMatrix,
    word: str | None,
    n_words: int,
    n_senses: int,
) -> list[Sense] | dict[str, list[Sense]]:
    """Return the senses of a word; without a word, of the words whose senses differ most."""
    if word is not None:
        if word not in vocabulary.index:
            near = nearest_name(word, vocabulary.words[:50_000])
            hint = f" Did you mean {near!r}?" if near else ""
            raise InputError(f"the model does not know the word {word!r}.{hint}")
        return _senses(words, vocabulary, vocabulary.index[word], n_words, n_senses)
    return {
        vocabulary.words[i]: _senses(words, vocabulary, i, n_words, n_senses)
        for i in _several(words, vocabulary, atoms)
    }


def _senses(
    words: WordTopics, vocabulary: Vocabulary, word: int, n_words: int, n_senses: int
) -> list[Sense]:
    code = words.codes[word].astype(np.float64)
    total = float((code**2).sum()) or 1.0
    alike = (words.vectors @ words.vectors[word]) * familiarity_of(vocabulary.counts)
    alike[word] = 0
    senses = []
    for topic in np.argsort(-np.abs(code), kind="stable")[:n_senses].tolist():
        if not code[topic]:
            break
        strength = code[topic] * words.codes[:, topic] * alike
        best = np.argsort(-strength, kind="stable")[:n_words]
        named = [vocabulary.words[i] for i in best if strength[i] > 0]
        senses.append(Sense(topic, float(code[topic]), float(code[topic] ** 2) / total, named))
    return senses


def _several(words: WordTopics, vocabulary: Vocabulary, atoms: FloatMatrix) -> list[int]:
    """Find frequent words whose second topic is strong and far from the first."""
    if words.n_topics < 2:
        return []
    strength = words.codes.astype(np.float64) ** 2
    first, second = np.argsort(-strength, axis=1, kind="stable")[:, :2].T
    rows = np.arange(len(strength))
    total = strength.sum(axis=1)
    share = strength[rows, second] / np.where(total > 0, total, 1)
    unit = unit_rows(atoms)
    apart = 1 - np.abs(np.einsum("wc,wc->w", unit[first], unit[second]))
    familiarity = familiarity_of(vocabulary.counts)
    known = familiarity >= _LEAST_FAMILIARITY * familiarity.max(initial=0)
    ranking = share * apart * known
    best = np.argsort(-ranking, kind="stable")[:_LISTED]
    return [i for i in best.tolist() if ranking[i] > 0]
