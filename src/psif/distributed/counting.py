"""Words of partitions: counted where they are, merged by a tree, never all on one worker."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from psif.distributed.sources import read_partition
from psif.files.readers.options import ReadOptions, ReadReport
from psif.text.flat import FlatDocs
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary, count_words, falling_order
from psif.types import CountVector, IdVector

# Plain tuples: Dask can tell their size, and so knows when to move them to disk.
Docs: TypeAlias = tuple[IdVector, CountVector, CountVector]
WordCounts: TypeAlias = tuple[list[str], CountVector, CountVector]
Counted: TypeAlias = tuple[WordCounts, Docs, tuple[int, int, int, list[str]]]


def count_partition(
    source: Any, number: int, options: ReadOptions, tokenizer: Tokenizer
) -> Counted:
    """Read a partition once: its words with their counts, its documents as ids into them."""
    report = ReadReport()
    texts = (document.text for document in read_partition(source, number, options, report))
    words, docs = count_words(texts, tokenizer)
    seen = report.n_docs, report.n_skipped, report.n_replaced, report.problems
    return (words.words, words.counts, words.doc_counts), to_tuple(docs), seen


def to_tuple(docs: FlatDocs) -> Docs:
    """Documents as plain arrays."""
    return np.asarray(docs.ids), docs.offsets, docs.n_tokens


def totals_of(counted: Counted) -> tuple[int, int, int, list[str], int]:
    """Return what was read, and the number of its words."""
    return (*counted[2], int(counted[1][2].sum()))


def shard_words(counted: Counted, shard: int, n_shards: int) -> WordCounts:
    """Words of one shard; which one a word belongs to follows from its bytes."""
    words, counts, doc_counts = counted[0]
    if n_shards == 1 or not words:
        return counted[0]
    encoded = [word.encode("utf-8", "surrogatepass") or b"\0" for word in words]
    starts = np.zeros(len(encoded), dtype=np.int64)
    np.cumsum([len(word) for word in encoded[:-1]], out=starts[1:])
    values = np.frombuffer(b"".join(encoded), dtype=np.uint8).astype(np.int64)
    mine = np.flatnonzero(np.add.reduceat(values, starts) % n_shards == shard)
    return [words[i] for i in mine.tolist()], counts[mine], doc_counts[mine]


def merge_words(parts: list[WordCounts]) -> WordCounts:
    """Add up the counts of words of several partitions."""
    index: dict[str, int] = {}
    places = [
        np.fromiter((index.setdefault(word, len(index)) for word in words), np.int64, len(words))
        for words, _, _ in parts
    ]
    counts = np.zeros(len(index), dtype=np.int64)
    doc_counts = np.zeros(len(index), dtype=np.int64)
    for place, (_, part, doc_part) in zip(places, parts, strict=True):
        counts[place] += part  # A word stands once in a part.
        doc_counts[place] += doc_part
    return list(index), counts, doc_counts


def prune_words(
    part: WordCounts, min_count: int, most_docs: float, max_words: int | None
) -> WordCounts:
    """Drop words of a shard that get no trained vector, before they leave the worker.

    The most frequent one stays, for the error message if no other does.
    """
    words, counts, doc_counts = part
    order = falling_order(words, counts)
    kept = ((counts >= min_count) & (doc_counts <= most_docs))[order]
    if max_words is not None:
        kept &= kept.cumsum() <= max_words
    kept[:1] = True
    return _chosen(part, np.sort(order[kept]))


def match_words(part: WordCounts, wanted: dict[str, int]) -> WordCounts:
    """Drop words of a shard that a table of vectors lacks; the most frequent one stays."""
    words, counts, _ = part
    kept = np.fromiter((word in wanted for word in words), bool, len(words))
    kept[falling_order(words, counts)[:1]] = True
    return _chosen(part, np.flatnonzero(kept))


def _chosen(part: WordCounts, chosen: CountVector) -> WordCounts:
    words, counts, doc_counts = part
    return [words[i] for i in chosen.tolist()], counts[chosen], doc_counts[chosen]


def no_counts() -> tuple[CountVector, CountVector]:
    """Return the counts of no words."""
    return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)


def vocabulary_of(shards: list[WordCounts], n_docs: int) -> Vocabulary:
    """Join shards in the one order that counts decide: that of a single machine."""
    words = [word for shard in shards for word in shard[0]]
    counts = np.concatenate([shard[1] for shard in shards])
    doc_counts = np.concatenate([shard[2] for shard in shards])
    order = falling_order(words, counts)
    return Vocabulary([words[i] for i in order.tolist()], counts[order], doc_counts[order], n_docs)


def encode_partition(counted: Counted, index: dict[str, int]) -> Docs:
    """Rename a partition's own word ids to those of the merged vocabulary."""
    words = counted[0][0]
    new_ids = np.fromiter((index.get(word, -1) for word in words), np.int32, len(words))
    return to_tuple(FlatDocs(*counted[1]).remap(new_ids))
