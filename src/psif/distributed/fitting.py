"""Fit a model on documents that are on a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from psif.distributed import counting
from psif.distributed.cluster import Cluster, check_cluster
from psif.distributed.corpus import ClusterCorpus
from psif.distributed.sources import Partition, find_partitions
from psif.errors import InputError
from psif.files.readers.options import ReadOptions, ReadReport
from psif.model.fitting import Fit
from psif.model.joining import MOST_TOKENS
from psif.text.pruning import resolve_min_count
from psif.text.vocabulary import Vocabulary
from psif.vectors.progress import Progress

if TYPE_CHECKING:
    from psif.model.embedder import Embedder

M = TypeVar("M", bound="Embedder")

# Words are merged in shards, so that no worker holds the words of all documents: one shard for
# so many partitions, and no more than this.
_PARTITIONS_A_SHARD = 16
_MOST_SHARDS = 32
_HINT = "A fit starts anew; nothing was changed."


def fit(
    model: M,
    documents: Any,
    *,
    client: Any,
    reading: ReadOptions | None = None,
    report: ReadReport | None = None,
    progress: Progress | None = None,
) -> M:
    """Fit a model on a cluster: the same model as ``model.fit(texts)`` gives on one machine.

    Every step that sees documents is a sum over partitions, done where they are. Topics are
    learned from the vocabulary, in this process.

    Parameters
    ----------
    model : PSIF or Embedder
        Fitted in place, and returned. Its vectors are ``"ppmi"`` or given ones.
    documents : dask.bag.Bag, dask dataframe or series, or list of paths
        Items of a bag are texts, (id, text) pairs or records. A file is a partition, and must be
        readable by every worker.
    client : distributed.Client
    reading : ReadOptions, optional
        Columns, encoding, and what to do about bad records.
    report : ReadReport, optional
        Filled with what was read and what was skipped.
    progress : callable, optional
        Called as ``progress(done, total)`` for each pass over the partitions.

    Raises
    ------
    ClusterError
        psif is missing on a worker or has another version; workers or scheduler were lost for
        good. The model is unchanged.
    """
    job = Fit(model.settings)
    if job.params["phrases"]:
        raise InputError(
            "phrases are found on one machine: fit on a sample there, and give its tokenizer_ as "
            "tokenizer, which joins them anywhere."
        )
    parts = find_partitions(documents)
    check_cluster(client)
    cluster = Cluster(client, progress, _HINT)
    report = report if report is not None else ReadReport()
    # No name for the corpus here: what it is made into should be all that workers keep.
    learned, _ = job.learn(*_count(job, parts, cluster, reading or ReadOptions(), report))
    model.__dict__.update(learned)
    return model


def _count(
    job: Fit, parts: list[Partition], cluster: Cluster, reading: ReadOptions, report: ReadReport
) -> tuple[Vocabulary, ClusterCorpus]:
    """Count all words, then give the documents ids that mean the same everywhere."""
    if not parts:
        return Vocabulary([], *counting.no_counts(), 0), ClusterCorpus(cluster, [])
    counted = cluster.on_sources(
        counting.count_partition,
        [(part.source, part.number, reading, job.tokenizer) for part in parts],
    )
    n_tokens = 0
    for seen in cluster.gather(cluster.each(counting.totals_of, counted), shown=True):
        report.n_docs += seen[0]
        report.n_skipped += seen[1]
        report.n_replaced += seen[2]
        report.problems += seen[3]
        n_tokens += seen[4]
    words = counting.vocabulary_of(
        _merge(job, counted, cluster, report.n_docs, n_tokens), report.n_docs
    )
    index = cluster.share({word: i for i, word in enumerate(words.words)})
    return words, ClusterCorpus(cluster, cluster.each(counting.encode_partition, counted, index))


def _merge(
    job: Fit, counted: list[Any], cluster: Cluster, n_docs: int, n_tokens: int
) -> list[counting.WordCounts]:
    """Merge the words in shards, and leave on the workers those that no model can use."""
    n_shards = max(1, min(_MOST_SHARDS, len(counted) // _PARTITIONS_A_SHARD))
    merged = []
    for shard in range(n_shards):
        parts = cluster.each(counting.shard_words, counted, shard, n_shards)
        merged.append(cluster.tree(counting.merge_words, parts))
    params, table = job.params, job.table
    # Every word counts, if only in a bucket; or the corpus is small, so all its words are few.
    if params["unknown"] == "hash" or (job.may_join and n_tokens < MOST_TOKENS):
        return cluster.gather(merged)
    if table is None:
        least = resolve_min_count(params["min_count"], n_tokens)
        most = job.options.max_doc_share * n_docs
        merged = cluster.each(counting.prune_words, merged, least, most, job.options.max_words)
    elif table.subwords is None:  # else a word that it lacks may be built from its parts
        wanted = cluster.share(dict(table.index))
        merged = cluster.each(counting.match_words, merged, wanted)
    return cluster.gather(merged)
