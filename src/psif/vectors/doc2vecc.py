"""Doc2VecC: word vectors trained together with a corrupted average of their document."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from psif.errors import InputError
from psif.runtime.threads import Workers
from psif.text.flat import FlatDocs
from psif.text.vocabulary import Vocabulary
from psif.types import CountVector, FloatMatrix, IdVector
from psif.vectors.epochs import Passes, Tables, run_epochs
from psif.vectors.progress import Progress
from psif.vectors.sgns import keep_probabilities, noise_distribution, start_vectors

Stretches: TypeAlias = tuple[IdVector, CountVector]

# Positions of one replica in one round.
_REPLICA_POSITIONS = 320


def doc2vecc(
    docs: FlatDocs,
    vocabulary: Vocabulary,
    *,
    dim: int,
    random_state: int | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    window: int = 10,
    side: str = "left",
    negative: int = 5,
    sample: float = 0.0,
    document_sample: float = 0.1,
    longest: int = 1000,
    epochs: int = 10,
    alpha: float = 0.25,
    smoothing: float = 0.75,
) -> FloatMatrix:
    r"""Train vectors whose average over a document is made to predict its words.

    Word t of a document of T words is predicted, against noise words, from

    .. math:: h_t = \frac{1}{|c_t| + 1} \Big( \sum_{i \in c_t} u_i
              + \frac{1}{(1 - q)\,T} \sum_{i \in \tilde{x}} u_i \Big)

    where :math:`c_t` is its window and :math:`\tilde{x}` keeps each other word of the document
    with probability 1 - q, drawn anew for each word ([Chen2017]_, equations 3 and 4). As in the
    authors' program, which differs here from the printed sum, the window's words and the
    document are averaged. Eight neighbouring words share their noise words and
    :math:`\tilde{x}`, so that the vectors of the document's words are read and changed once for
    all eight. docs/evaluation.md has the cost of each setting in accuracy.

    Parameters
    ----------
    window : int, default=10
        Most words on a side; the width is drawn for each word.
    side : "both" or "left", default="left"
        The authors' program reads only words before the predicted one, two to three of a window
        of ten. More neighbours leave the document less to explain.
    negative : int, default=5
        Noise words for each predicted one.
    sample : float, default=0.0
        Words more frequent than this are thinned out; 0 keeps all, as the authors do.
    document_sample : float, default=0.1
        Share of the document that is kept, 1 - q.
    longest : int, default=1000
        Longer documents are cut into stretches of this many words, as in the authors' program:
        the cost of a word grows with the length of its document.
    epochs : int, default=10
    alpha : float, default=0.25
        First step size; it falls linearly to nearly zero. The authors make 100 passes with 0.05:
        the mean over the window makes steps so short that few passes with 0.05 learn little.
    smoothing : float, default=0.75
        The exponent of the noise distribution.

    Notes
    -----
    Equal seeds give equal vectors, for any number of threads (see :mod:`psif.vectors.epochs`).

    References
    ----------
    .. [Chen2017] Chen (2017), Efficient vector representation for documents through corruption.
    """
    from psif.compiled.doc2vecc import cut_stretches, train_positions

    if side not in ("both", "left"):
        raise InputError(f"side must be 'both' or 'left'; got {side!r}.")
    if not 0 < document_sample <= 1:
        raise InputError(
            f"document_sample must be above 0 and at most 1 (all words); got {document_sample}."
        )
    if min(window, negative, longest, epochs) < 1:
        raise InputError(
            "window, negative, longest and epochs must be 1 or more; "
            f"got {window}, {negative}, {longest}, {epochs}."
        )
    rng = np.random.default_rng(random_state)
    inputs = start_vectors(rng, len(vocabulary), dim)
    keep = keep_probabilities(vocabulary, sample)
    noise = noise_distribution(vocabulary, smoothing)
    capacities = _REPLICA_POSITIONS + 2 * longest, _REPLICA_POSITIONS * (negative + 1)
    tables = Tables(inputs, np.zeros_like(inputs), capacities, n_jobs)

    def prepare(part: FlatDocs, seed: int) -> Stretches:
        stretches: Stretches = cut_stretches(part.ids, part.offsets, keep, longest, seed)
        return stretches

    def train(prepared: Stretches, rate: float, seed: int, workers: Workers) -> None:
        kept, borders = prepared

        def work(replica: int, first: int, last: int) -> None:
            train_positions(
                kept, borders, first, last, inputs, tables.outputs, tables.own_inputs[replica],
                tables.own_outputs[replica], noise, negative, window, side == "left",
                document_sample, np.float32(rate), seed,
            )  # fmt: skip

        tables.train(work, len(kept), _REPLICA_POSITIONS, workers)

    run_epochs(prepare, train, docs, Passes(epochs, alpha, shuffled=True), rng, n_jobs, progress)
    return inputs
