r"""What a topic, or a group of documents, is called: its characteristic words, in any language.

A word is characteristic if it occurs more often in the group than in the whole corpus, and if this
is no accident. With m the counts of words in a group, n their sum, and p the shares of words in the
corpus, the log-odds of a word are compared under a prior that weighs as much as the group itself:

.. math:: \delta_w = \ln \frac{m_w + n p_w}{2 n - m_w - n p_w} - \ln \frac{p_w}{1 - p_w}, \qquad
          z_w = \delta_w \sqrt{m_w + n p_w}

The prior pulls rare words towards the corpus. The root is the inverse of the standard deviation of
a log-count, so z is large for words that are both typical and frequent. Words that all groups
share, such as stop words, have :math:`\delta \approx 0`: no stop list is needed. Some stop words do
belong to some groups more than to others ("he" and "she" to films and books), and being frequent
they have a large z. So the more frequent a word, the more it must stand out to name a group:

.. math:: \frac{m_w}{n p_w} \ge \ell \sqrt{1 + \max(0,\, p_w - 10 \bar p) / p_0}

with :math:`\bar p` the mean share of a word: in a few sentences every word has a large share.

References
----------
.. [1] Monroe, Colaresi, Quinn (2008), "Fightin' Words", section 3.3: log-odds ratios with an
   informative Dirichlet prior.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from psif.types import DoubleMatrix, IdVector

# What is left of addresses and of HTML once a tokenizer has cut them into words.
_MARKUP = frozenset(
    {"amp", "apos", "br", "div", "gt", "href", "html", "http", "https"}
    | {"img", "lt", "nbsp", "quot", "span", "src", "td", "tr", "www"}
)
# The least lift of words that are not frequent; how many times more frequent than the mean word a
# frequent one is; and p0.
_LEAST_LIFT = 1.5
_FREQUENT = 10
_FREQUENT_SHARE = 1e-3


def may_name(word: str) -> bool:
    """Say whether a word can be (part of) a name: no numbers, markup or single letters.

    A single character is a word of its own in scripts without letters, such as Chinese.
    """
    letters = sum(map(str.isalpha, word))
    if letters * 2 < len(word) or word.casefold() in _MARKUP:
        return False
    if letters > 1:
        return True
    return any(unicodedata.category(character) == "Lo" for character in word)


def naming_scores(mass: ArrayLike, background: ArrayLike) -> DoubleMatrix:
    """Return how characteristic each word is of each group; see the formula of this module.

    Parameters
    ----------
    mass : array of shape (n_groups, n_words)
        Counts of words in each group; they may be weighted, and groups may overlap.
    background : array of shape (n_words,)
        Counts of words in the whole corpus, on any scale.

    Returns
    -------
    scores : ndarray of shape (n_groups, n_words)
        z; 0 for words that are nowhere, and for groups without words.
    """
    counts = np.asarray(mass, dtype=np.float64)
    corpus = np.asarray(background, dtype=np.float64)
    shares = corpus / (corpus.sum() or 1.0)
    total = counts.sum(axis=1, keepdims=True)
    pulled = counts + total * shares
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = np.log(pulled / (2 * total - pulled)) - np.log(shares / (1 - shares))
        scores: DoubleMatrix = odds * np.sqrt(pulled)
    # A group of a single word has infinite odds; a word that is nowhere has none.
    return np.nan_to_num(np.where(shares > 0, scores, 0.0), nan=0.0)


def characteristic_ids(
    mass: ArrayLike, background: ArrayLike, names: Sequence[str], n_words: int = 10
) -> tuple[list[IdVector], list[NDArray[np.float64]]]:
    """Return the ids and scores of the most characteristic words of each group, best first.

    Only words that :func:`may_name` allows, and that stand out enough in the group; so a group may
    have fewer than ``n_words``. Ties are in the order of ``names``.
    """
    counts, corpus = np.asarray(mass, dtype=np.float64), np.asarray(background, dtype=np.float64)
    shares = corpus / (corpus.sum() or 1.0)
    excess = np.maximum(shares - _FREQUENT / (int(np.count_nonzero(shares)) or 1), 0)
    least = _LEAST_LIFT * np.sqrt(1 + excess / _FREQUENT_SHARE)
    expected = counts.sum(axis=1, keepdims=True) * shares
    scores = np.where(counts >= least * expected, naming_scores(counts, corpus), 0.0)
    fits: dict[int, bool] = {}
    ids, values = [], []
    for row in scores:
        chosen: list[int] = []
        for word in np.argsort(-row, kind="stable").tolist():
            if len(chosen) == n_words or row[word] <= 0:
                break
            # Looked up for the best words only: a vocabulary is large.
            if word not in fits:
                fits[word] = may_name(names[word])
            if fits[word]:
                chosen.append(word)
        ids.append(np.array(chosen, dtype=np.int32))
        values.append(row[chosen])
    return ids, values


def characteristic_words(
    mass: ArrayLike, background: ArrayLike, names: Sequence[str], n_words: int = 10
) -> list[list[str]]:
    """Return the words that tell each group from the corpus, best first.

    Parameters
    ----------
    mass : array of shape (n_groups, n_words)
        Counts of words in each group, weighted or not.
    background : array of shape (n_words,)
        Counts of words in the whole corpus, on any scale.
    names : sequence of str
        The words.
    n_words : int, default=10
        Words per group; fewer where fewer words are typical of a group.

    Examples
    --------
    >>> from psif.explain.naming import characteristic_words
    >>> names = ["the", "ship", "goal", "team", "42"]
    >>> counts = [[50, 9, 0, 1, 7], [60, 0, 8, 9, 0]]
    >>> characteristic_words(counts, [110, 9, 8, 10, 7], names)
    [['ship'], ['goal', 'team']]
    """
    found, _ = characteristic_ids(mass, background, names, n_words)
    return [[names[word] for word in ids.tolist()] for ids in found]
