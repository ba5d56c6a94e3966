"""Several segments to one, without documents that were deleted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from psif.errors import FormatError
from psif.search.metadata import Column
from psif.search.postings import Postings
from psif.search.rows import Rows
from psif.search.segment import Part, Segment
from psif.search.strings import Strings
from psif.search.texts import TextPacker, TextStore
from psif.text.flat import offsets_of
from psif.types import CountVector, IdVector

# A segment of which a larger share is deleted is written anew.
MOST_DELETED = 0.3


def tidy(parts: Sequence[Part]) -> list[Part]:
    """Merge segments until each is more than twice as large as the next.

    So an index of n documents has at most log2(n) segments, and a document is written at most
    log2(n) times while the index grows.
    """
    kept: list[Part] = []
    for part in parts:
        if not part.n_live:
            continue
        if part.n_live < (1 - MOST_DELETED) * len(part):
            part = Part(merge([part]))
        kept.append(part)
    # From the end, so that many small ones are merged at once.
    while len(kept) > 1:
        size, first = kept[-1].n_live, len(kept) - 1
        while first and kept[first - 1].n_live <= 2 * size:
            first -= 1
            size += kept[first].n_live
        if first == len(kept) - 1:
            break
        kept[first:] = [Part(merge(kept[first:]))]
    return kept


def merge(parts: Sequence[Part]) -> Segment:
    """Join segments; documents keep their order."""
    rows = [_live_rows(part) for part in parts]
    ids = [
        part.segment.ids[int(doc)] for part, here in zip(parts, rows, strict=True) for doc in here
    ]
    order = sorted(range(len(ids)), key=ids.__getitem__)
    fields = dict.fromkeys(name for part in parts for name in part.segment.columns)
    return Segment(
        ids=Strings.of(ids),
        id_order=np.array(order, dtype=np.int32),
        postings=_merge_postings(parts, rows),
        texts=_merge_texts(parts),
        rows=_merge_vectors(parts, rows),
        n_words=_joined([p.segment.n_words[r] for p, r in zip(parts, rows, strict=True)]),
        n_known=_joined([p.segment.n_known[r] for p, r in zip(parts, rows, strict=True)]),
        columns={name: _merge_column(name, parts, rows) for name in fields},
    )


def _live_rows(part: Part) -> CountVector:
    return np.arange(len(part)) if part.live is None else np.flatnonzero(part.live)


def _joined(arrays: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(arrays)


def _merge_column(name: str, parts: Sequence[Part], rows: list[CountVector]) -> Column:
    columns = []
    for part, here in zip(parts, rows, strict=True):
        column = part.segment.columns.get(name)
        columns.append(Column.missing(len(here)) if column is None else column.take(here))
    return Column.concatenate(columns)


def _merge_vectors(parts: Sequence[Part], rows: list[CountVector]) -> Rows | None:
    found = [part.segment.rows for part in parts]
    if any(one is None for one in found):
        return None
    pairs = [(one, here) for one, here in zip(found, rows, strict=True) if one is not None]
    merged = Rows.of(
        _joined([one.vectors[here] for one, here in pairs]),
        _joined([one.scales[here] for one, here in pairs]),
    )
    # What a user asked for once stays so.
    return merged.with_lists(True if any(one.lists for one, _ in pairs) else None)


def _merge_texts(parts: Sequence[Part]) -> TextStore:
    """Take over the blocks of whole segments; compress the texts of others anew."""
    stores = []
    for part in parts:
        if part.live is None:
            stores.append(part.segment.texts)
            continue
        with TextPacker() as packer:
            packer.extend(s for doc, s in enumerate(part.segment.texts) if part.live[doc])
            stores.append(packer.store())
    blocks = Strings.of(block for store in stores for block in store.blocks)
    steps = np.concatenate([np.diff(store.first_docs) for store in stores])
    return TextStore(blocks, offsets_of(steps).astype(np.int32))


def _merge_postings(parts: Sequence[Part], rows: list[CountVector]) -> Postings:
    from psif.compiled.postings import append_postings, count_kept

    all_terms = [list(part.segment.postings.terms) for part in parts]
    names = sorted(set().union(*all_terms))
    number = {name: i for i, name in enumerate(names)}
    doc_freqs = np.zeros(len(names), dtype=np.int64)
    sources, before = [], 0
    for part, here, terms in zip(parts, rows, all_terms, strict=True):
        new_doc = np.full(len(part), -1, dtype=np.int32)
        new_doc[here] = np.arange(before, before + len(here), dtype=np.int32)
        before += len(here)
        new_term = np.fromiter((number[term] for term in terms), np.int32, len(terms))
        starts, docs, counts = _unpack(part.segment.postings)
        count_kept(starts, docs, new_doc, new_term, doc_freqs)
        sources.append((starts, docs, counts, new_doc, new_term))
    starts = offsets_of(doc_freqs)
    cursors = starts[:-1].copy()
    out_docs = np.empty(int(starts[-1]), dtype=np.int32)
    out_counts = np.empty(int(starts[-1]), dtype=np.int32)
    for source in sources:
        append_postings(*source, cursors, out_docs, out_counts)
    used = doc_freqs > 0  # words of deleted documents go with them
    kept = [name for name, stays in zip(names, used.tolist(), strict=True) if stays]
    lengths: list[IdVector] = [
        part.segment.postings.lengths[here] for part, here in zip(parts, rows, strict=True)
    ]
    return Postings.pack(
        Strings.of(kept), offsets_of(doc_freqs[used]), out_docs, out_counts, _joined(lengths)
    )


def _unpack(postings: Postings) -> tuple[CountVector, IdVector, IdVector]:
    from psif.compiled.postings import read_all_postings

    starts = offsets_of(postings.doc_freqs.astype(np.int64))
    docs = np.empty(int(starts[-1]), dtype=np.int32)
    counts = np.empty(int(starts[-1]), dtype=np.int32)
    n_docs = len(postings)
    if not read_all_postings(postings.stream, postings.ends, n_docs, starts, docs, counts):
        raise FormatError("the postings of the index are damaged; build it again.")
    return starts, docs, counts
