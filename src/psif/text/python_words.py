"""Words to ids one Python string at a time: for regular expressions and functions."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from psif.text.buckets import bucket_of
from psif.text.flat import FlatDocs
from psif.text.tokenizer import Tokenizer
from psif.types import CountVector


def encode_slowly(
    index: dict[str, int], texts: Iterable[str], tokenizer: Tokenizer, n_buckets: int = 0
) -> FlatDocs:
    """Texts to ids; words not in ``index`` go to its last ``n_buckets`` ids, or are skipped."""
    ids: list[int] = []
    offsets, n_tokens = [0], []
    first = len(index) - n_buckets
    for text in texts:
        words = tokenizer(text)
        if n_buckets:
            ids += [index[w] if w in index else first + bucket_of(w, n_buckets) for w in words]
        else:
            ids += [i for i in map(index.get, words) if i is not None]
        offsets.append(len(ids))
        n_tokens.append(len(words))
    return FlatDocs(
        np.array(ids, dtype=np.int32),
        np.array(offsets, dtype=np.int64),
        np.array(n_tokens, dtype=np.int64),
    )


def count_slowly(
    texts: Iterable[str], tokenizer: Tokenizer
) -> tuple[list[str], CountVector, CountVector, FlatDocs]:
    """Words in order of first sight, their counts and document counts, and the ids."""
    seen: dict[str, int] = {}
    docs = [
        np.array([seen.setdefault(w, len(seen)) for w in tokenizer(text)], dtype=np.int32)
        for text in texts
    ]
    flat = FlatDocs.from_arrays(docs)
    counts = np.bincount(flat.ids, minlength=len(seen)).astype(np.int64)
    doc_counts = np.zeros(len(seen), dtype=np.int64)
    for doc in docs:
        doc_counts[np.unique(doc)] += 1
    return list(seen), counts, doc_counts, flat
