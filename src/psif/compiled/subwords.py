"""Sum the vectors of a word's character n-grams, fastText's way."""

from __future__ import annotations

import numpy as np

from psif.compiled.kernel import kernel


@kernel()
def ngram_rows(text, shortest, longest, n_buckets):  # type: ignore[no-untyped-def]
    """Buckets of all character n-grams of one word, given as UTF-8 bytes with its < and >.

    FNV-1a over signed bytes, as fastText hashes; an n-gram begins and ends at a character. The
    single characters < and > are no n-grams.
    """
    rows = np.empty(max(len(text) * (longest - shortest + 1), 0), dtype=np.int64)
    n_rows = 0
    for start in range(len(text)):
        if text[start] & 0xC0 == 0x80:
            continue
        value = np.uint32(2166136261)
        place = start
        length = 1
        while place < len(text) and length <= longest:
            first = True
            while place < len(text) and (first or text[place] & 0xC0 == 0x80):
                signed = np.uint32(np.int32(np.int8(text[place])))
                value = np.uint32(np.uint32(value ^ signed) * np.uint32(16777619))
                place += 1
                first = False
            if length >= shortest and not (length == 1 and (start == 0 or place == len(text))):
                rows[n_rows] = np.int64(value) % n_buckets
                n_rows += 1
            length += 1
    return rows[:n_rows]


@kernel()
def word_vectors(texts, offsets, own_rows, table, n_words, shortest, longest, n_buckets, out):  # type: ignore[no-untyped-def]
    """Mean of a word's own row (if ``own_rows`` is not -1) and of its n-grams' rows."""
    for word in range(len(own_rows)):
        rows = ngram_rows(texts[offsets[word] : offsets[word + 1]], shortest, longest, n_buckets)
        n_rows = len(rows)
        if own_rows[word] >= 0:
            n_rows += 1
            out[word] += table[own_rows[word]]
        for row in rows:
            out[word] += table[n_words + row]
        if n_rows:
            out[word] /= n_rows
