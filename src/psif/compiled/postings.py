"""Postings: for every term the documents that have it, and how often.

The postings of a term are bytes: for each document, in rising order, the distance from the one
before (the first from -1) doubled, plus 1 where the term occurs more than once; then, only there,
the count less 2. Both are LEB128 numbers: seven bits per byte, the lowest first, the eighth bit
says that more follow. A posting takes about 2 bytes.
"""

from __future__ import annotations

import numpy as np

from psif.compiled.kernel import kernel


@kernel()
def count_terms(ids, offsets, term_of, last_doc, slot, terms, counts, ends):  # type: ignore[no-untyped-def]
    """Write the distinct terms of each document, in order of first sight, with their counts.

    Parameters
    ----------
    ids, offsets
        Documents as word ids.
    term_of : int32 (n_words,)
    last_doc, slot : int32 (n_terms,)
        Room; ``last_doc`` is -1 everywhere.
    terms, counts : int32 (n_ids,)
        Written.
    ends : int64 (n_docs,)
        Written: where the terms of each document end.

    Returns
    -------
    n : int
        Entries written.
    """
    n = 0
    for doc in range(len(offsets) - 1):
        for position in range(offsets[doc], offsets[doc + 1]):
            term = term_of[ids[position]]
            if last_doc[term] == doc:
                counts[slot[term]] += 1
            else:
                last_doc[term] = doc
                slot[term] = n
                terms[n] = term
                counts[n] = 1
                n += 1
        ends[doc] = n
    return n


@kernel()
def invert(terms, counts, ends, cursors, docs, doc_counts):  # type: ignore[no-untyped-def]
    """Sort the entries of :func:`count_terms` by term, documents in rising order.

    ``cursors`` says where the entries of each term begin, and is moved to where they end.
    """
    begin = 0
    for doc in range(len(ends)):
        for position in range(begin, ends[doc]):
            place = cursors[terms[position]]
            docs[place] = doc
            doc_counts[place] = counts[position]
            cursors[terms[position]] = place + 1
        begin = ends[doc]


@kernel(inline="always")
def _n_bytes(number):  # type: ignore[no-untyped-def]
    n = 1
    while number >= 128:
        number >>= 7
        n += 1
    return n


@kernel(inline="always")
def _put(number, stream, place):  # type: ignore[no-untyped-def]
    while number >= 128:
        stream[place] = np.uint8(number & 127 | 128)
        place += 1
        number >>= 7
    stream[place] = np.uint8(number)
    return place + 1


@kernel()
def measure_postings(starts, docs, counts, sizes):  # type: ignore[no-untyped-def]
    """Write the bytes that the postings of each term take."""
    for term in range(len(starts) - 1):
        before, size = np.int64(-1), 0
        for position in range(starts[term], starts[term + 1]):
            step = np.int64(docs[position]) - before
            before = np.int64(docs[position])
            size += _n_bytes(step << 1)
            if counts[position] > 1:
                size += _n_bytes(np.int64(counts[position]) - 2)
        sizes[term] = size


@kernel()
def write_postings(starts, docs, counts, places, stream):  # type: ignore[no-untyped-def]
    """Write the postings of each term from its place on."""
    for term in range(len(starts) - 1):
        before, place = np.int64(-1), places[term]
        for position in range(starts[term], starts[term + 1]):
            step = np.int64(docs[position]) - before
            before = np.int64(docs[position])
            count = np.int64(counts[position])
            place = _put(step << 1 | (count > 1), stream, place)
            if count > 1:
                place = _put(count - 2, stream, place)


@kernel(inline="always")
def _get(stream, place, stop):  # type: ignore[no-untyped-def]
    """Return a number and the place after it; -1 where the bytes end too early."""
    number, shift = np.int64(0), 0
    while place < stop and shift < 49:
        byte = np.int64(stream[place])
        place += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, place
        shift += 7
    return np.int64(-1), place


@kernel()
def read_postings(stream, place, stop, n_docs, docs, counts):  # type: ignore[no-untyped-def]
    """Write the documents and counts of one term.

    Returns
    -------
    n : int
        Documents; -1 for bytes that are no postings of ``n_docs`` documents.
    """
    doc, n = np.int64(-1), 0
    while place < stop:
        number, place = _get(stream, place, stop)
        doc += number >> 1
        if number < 2 or doc >= n_docs or n >= len(docs):
            return -1
        count = np.int64(1)
        if number & 1:
            rest, place = _get(stream, place, stop)
            if rest < 0:
                return -1
            count = rest + 2
        docs[n] = doc
        counts[n] = count
        n += 1
    return n


@kernel()
def count_live(stream, place, stop, live):  # type: ignore[no-untyped-def]
    """Count the documents of one term that are not deleted; -1 for bytes that are no postings."""
    doc, n = np.int64(-1), 0
    while place < stop:
        number, place = _get(stream, place, stop)
        doc += number >> 1
        if number < 2 or doc >= len(live):
            return -1
        if number & 1:
            rest, place = _get(stream, place, stop)
            if rest < 0:
                return -1
        n += live[doc]
    return n


@kernel()
def add_bm25(  # type: ignore[no-untyped-def]
    stream, place, stop, weight, k1, b, mean_length, lengths, scores
):
    r"""Add what one term brings to the score of every document that has it.

    .. math:: w \, \frac{c}{c + k_1 (1 - b + b \, l_d / \bar l)}

    with c the term's count in the document, l the document's length and w the weight (idf times
    the term's count in the query).

    Returns
    -------
    fine : bool
        False for bytes that are no postings of these documents.
    """
    doc = np.int64(-1)
    floor, slope = k1 * (1.0 - b), k1 * b / mean_length
    while place < stop:
        number, place = _get(stream, place, stop)
        doc += number >> 1
        if number < 2 or doc >= len(scores):
            return False
        count = 1.0
        if number & 1:
            rest, place = _get(stream, place, stop)
            if rest < 0:
                return False
            count = rest + 2.0
        scores[doc] += weight * count / (count + floor + slope * lengths[doc])
    return True


@kernel()
def read_all_postings(stream, ends, n_docs, starts, docs, counts):  # type: ignore[no-untyped-def]
    """Write the documents and counts of all terms; those of a term begin at its start.

    Returns
    -------
    fine : bool
        False for bytes that are no postings of these documents.
    """
    place = np.int64(0)
    for term in range(len(ends)):
        first, last = starts[term], starts[term + 1]
        n = read_postings(stream, place, ends[term], n_docs, docs[first:last], counts[first:last])
        if n != last - first:
            return False
        place = ends[term]
    return True


@kernel()
def count_kept(starts, docs, new_doc, new_term, doc_freqs):  # type: ignore[no-untyped-def]
    """Add the number of documents that stay to the frequencies of the terms' new numbers."""
    for term in range(len(starts) - 1):
        for position in range(starts[term], starts[term + 1]):
            doc_freqs[new_term[term]] += new_doc[docs[position]] >= 0


@kernel()
def append_postings(  # type: ignore[no-untyped-def]
    starts, docs, counts, new_doc, new_term, cursors, out_docs, out_counts
):
    """Append the documents that stay, by their new numbers, to the postings of each term."""
    for term in range(len(starts) - 1):
        place = cursors[new_term[term]]
        for position in range(starts[term], starts[term + 1]):
            doc = new_doc[docs[position]]
            if doc >= 0:
                out_docs[place] = doc
                out_counts[place] = counts[position]
                place += 1
        cursors[new_term[term]] = place
