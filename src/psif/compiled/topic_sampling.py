"""Latent Dirichlet allocation by collapsed Gibbs sampling, and topic shares of new documents."""

from __future__ import annotations

import numpy as np

from psif.compiled.kernel import kernel
from psif.compiled.random_numbers import start, uniform


@kernel()
def count_topics(words, docs, topics, by_doc, by_word, totals):  # type: ignore[no-untyped-def]
    """Add up the topics of all occurrences, by document, by word, and in all."""
    for i in range(len(words)):
        by_doc[docs[i], topics[i]] += 1
        by_word[words[i], topics[i]] += 1
        totals[topics[i]] += 1


@kernel(fastmath={"contract", "reassoc", "nsz"})
def sample_topics(  # type: ignore[no-untyped-def]
    words, docs, topics, by_doc, by_word, totals, alpha, beta, seed
):
    """Draw the topic of each occurrence anew, given those of all others; one sweep.

    The probability of topic k for an occurrence of word w in document d is proportional to
    (n_dk + alpha) (n_wk + beta) / (n_k + V beta), the counts without this occurrence.
    """
    n_topics = len(totals)
    state = np.empty(1, dtype=np.uint64)
    start(state, seed, 0)
    weights = np.empty(n_topics, dtype=np.float32)
    scales = np.empty(n_topics, dtype=np.float32)
    prior = np.float32(len(by_word) * beta)
    for k in range(n_topics):
        scales[k] = np.float32(1.0) / (totals[k] + prior)
    for i in range(len(words)):
        of_word, of_doc = by_word[words[i]], by_doc[docs[i]]
        old = topics[i]
        of_word[old] -= 1
        of_doc[old] -= 1
        totals[old] -= 1
        scales[old] = np.float32(1.0) / (totals[old] + prior)
        whole = np.float32(0.0)
        for k in range(n_topics):
            weights[k] = (of_doc[k] + alpha) * (of_word[k] + beta) * scales[k]
            whole += weights[k]
        left = np.float32(uniform(state)) * whole
        new = 0
        left -= weights[0]
        # The last topic is also where rounding may lead.
        while left >= 0 and new < n_topics - 1:
            new += 1
            left -= weights[new]
        topics[i] = new
        of_word[new] += 1
        of_doc[new] += 1
        totals[new] += 1
        scales[new] = np.float32(1.0) / (totals[new] + prior)


@kernel(fastmath={"contract", "reassoc", "nsz"})
def infer_shares(  # type: ignore[no-untyped-def]
    indptr, indices, counts, word_topics, alpha, n_steps, shares
):
    """Topic shares of documents, given the probabilities of words in topics.

    Expected counts n_k = sum over words of c_w r_wk, r_wk proportional to (n_k + alpha) phi_wk,
    from equal counts on. Nothing is random, and no document sees another.
    """
    n_topics = word_topics.shape[1]
    expected = np.empty(n_topics, dtype=np.float32)
    mixed = np.empty(n_topics, dtype=np.float32)
    parts = np.empty(n_topics, dtype=np.float32)
    for d in range(len(indptr) - 1):
        n_words = np.float32(0.0)
        for i in range(indptr[d], indptr[d + 1]):
            n_words += counts[i]
        expected[:] = n_words / np.float32(n_topics)
        for _ in range(n_steps):
            for k in range(n_topics):
                mixed[k] = expected[k] + alpha
                expected[k] = 0
            for i in range(indptr[d], indptr[d + 1]):
                row = word_topics[indices[i]]
                whole = np.float32(0.0)
                for k in range(n_topics):
                    parts[k] = mixed[k] * row[k]
                    whole += parts[k]
                scale = counts[i] / whole
                for k in range(n_topics):
                    expected[k] += scale * parts[k]
        for k in range(n_topics):
            shares[d, k] = (expected[k] + alpha) / (n_words + np.float32(n_topics) * alpha)
