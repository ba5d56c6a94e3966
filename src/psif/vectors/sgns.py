"""Skip-gram with negative sampling, trained in blocks."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from psif.errors import InputError
from psif.runtime.threads import Workers
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.types import CountVector, DoubleVector, FloatMatrix, IdVector
from psif.vectors.epochs import Passes, Tables, run_epochs
from psif.vectors.progress import Progress

Blocks: TypeAlias = tuple[IdVector, CountVector, IdVector]

# Centres that share one draw of noise words: twice as many are a fifth faster, but their updates
# are summed before any of them is seen, and accuracy begins to fall.
_BLOCK = 8
# Blocks of one replica in one round: few, so that replicas soon see what the others learned.
_REPLICA_BLOCKS = 40


def sgns(
    docs: FlatDocs,
    vocabulary: Vocabulary,
    *,
    dim: int,
    random_state: int | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    window: int = 10,
    negative: int = 10,
    sample: float = 1e-3,
    epochs: int = 15,
    alpha: float = 0.025,
    smoothing: float = 0.75,
    shuffle: bool = False,
) -> FloatMatrix:
    r"""Train vectors that tell a word's neighbours from noise words.

    .. math:: \max \sum_{(w, c)} \log \sigma(x_c \cdot y_w)
              + m\, E_{n \sim p^\gamma} \log \sigma(-x_c \cdot y_n)

    The objective is word2vec's ([Mikolov2013]_); its expectations are kept where word2vec draws:
    a pair at distance k has the weight that windows of random width give it, and the words drawn
    as noise serve a whole block of neighbouring centres ([Ji2016]_). Scores and updates are then
    matrix products.

    Parameters
    ----------
    window : int, default=10
    negative : int, default=10
        Noise words that each pair meets, m.
    sample : float, default=1e-3
        Words more frequent than this are thinned out; 0 keeps all.
    epochs : int, default=15
    alpha : float, default=0.025
        First step size; it falls linearly to nearly zero.
    smoothing : float, default=0.75
        The exponent of the noise distribution.
    shuffle : bool, default=False
        Read the documents in a random order, the same in every epoch. Use it for a corpus that is
        sorted by class or date: the documents that are read last count most. (The preset ``paper``
        reads them as they come, as earlier versions did: its vectors must never change.)

    Notes
    -----
    Equal seeds give equal vectors, for any number of threads (see :mod:`psif.vectors.epochs`).

    References
    ----------
    .. [Mikolov2013] Mikolov et al. (2013), Distributed representations of words and phrases and
       their compositionality, equation 4.
    .. [Ji2016] Ji et al. (2016), Parallelizing word2vec in shared and distributed memory.
    """
    from psif.compiled.skipgram import cut_blocks, train_blocks

    if window < 1 or negative < 1 or epochs < 1:
        raise InputError(
            f"window, negative and epochs must be 1 or more; got {window}, {negative}, {epochs}."
        )
    rng = np.random.default_rng(random_state)
    inputs = start_vectors(rng, len(vocabulary), dim)
    keep = keep_probabilities(vocabulary, sample)
    noise = noise_distribution(vocabulary, smoothing)
    capacities = _REPLICA_BLOCKS * (_BLOCK + 2 * window), _REPLICA_BLOCKS * (_BLOCK + negative)
    tables = Tables(inputs, np.zeros_like(inputs), capacities, n_jobs)

    def prepare(part: FlatDocs, seed: int) -> Blocks:
        blocks: Blocks = cut_blocks(
            part.ids, part.offsets, keep, noise, window, _BLOCK, negative, seed
        )
        return blocks

    def train(prepared: Blocks, rate: float, _: int, workers: Workers) -> None:
        kept, blocks, drawn = prepared

        def work(replica: int, first: int, last: int) -> None:
            train_blocks(
                kept, blocks[first:last], drawn[first:last], inputs, tables.outputs,
                tables.own_inputs[replica], tables.own_outputs[replica], window, np.float32(rate),
            )  # fmt: skip

        tables.train(work, len(blocks), _REPLICA_BLOCKS, workers)

    run_epochs(prepare, train, docs, Passes(epochs, alpha, shuffle), rng, n_jobs, progress)
    return inputs


def start_vectors(rng: np.random.Generator, n_words: int, dim: int) -> FloatMatrix:
    """Small random vectors, as word2vec starts."""
    return (rng.random((n_words, dim), dtype=np.float32) - np.float32(0.5)) / np.float32(dim)


def keep_probabilities(vocabulary: Vocabulary, sample: float) -> DoubleVector:
    r"""How often an occurrence of each word is kept, :math:`\sqrt{s/f} + s/f`, at most 1."""
    if sample < 0:
        raise InputError(f"sample must be 0 (keep all) or more; got {sample}.")
    if sample == 0:
        return np.ones(len(vocabulary))
    share = np.maximum(vocabulary.counts, 1) / max(int(vocabulary.counts.sum()), 1)
    return np.minimum(np.sqrt(sample / share) + sample / share, 1.0)


def noise_distribution(vocabulary: Vocabulary, smoothing: float) -> DoubleVector:
    """Cumulative distribution of noise words, proportional to count ** smoothing."""
    return np.cumsum(np.maximum(vocabulary.counts, 1).astype(np.float64) ** smoothing)
