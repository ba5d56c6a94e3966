"""Postings: for every term the documents that have it, and how often.

The postings of a term are bytes: for each document, in rising order, the distance from the one
before (the first from -1) doubled, plus 1 where the term occurs more than once; then, only there,
the count less 2. Both are LEB128 numbers: seven bits per byte, the lowest first, the eighth bit
says that more follow. A posting takes about 2 bytes.
"""

from __future__ import annotations

import numpy as np

from psif.compiled.kernel import kernel


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
def _count_terms(words, term_of, doc, last_doc, slot, terms, counts, steps):  # type: ignore[no-untyped-def]
    """Write the distinct terms of one document, how often, and how far back each was last seen."""
    n = 0
    for word in words:
        term = term_of[word]
        if last_doc[term] == doc:
            counts[slot[term]] += 1
        else:
            steps[n] = doc - last_doc[term]
            last_doc[term] = doc
            slot[term] = n
            terms[n] = term
            counts[n] = 1
            n += 1
    return n


@kernel()
def measure_documents(  # type: ignore[no-untyped-def]
    ids, offsets, term_of, last_doc, slot, terms, counts, steps, sizes, doc_freqs
):
    """Count the bytes of the postings of each term, and the documents that have it.

    Parameters
    ----------
    ids, offsets
        Documents as word ids.
    term_of : int32 (n_words,)
    last_doc, slot : int32 (n_terms,)
        Room; ``last_doc`` is -1 everywhere.
    terms, counts, steps : int32
        Room for the words of the longest document.
    sizes : int64 (n_terms,)
        Added to.
    doc_freqs : int32 (n_terms,)
        Added to.
    """
    for doc in range(len(offsets) - 1):
        words = ids[offsets[doc] : offsets[doc + 1]]
        n = _count_terms(words, term_of, doc, last_doc, slot, terms, counts, steps)
        for i in range(n):
            size = _n_bytes(np.int64(steps[i]) << 1)
            if counts[i] > 1:
                size += _n_bytes(np.int64(counts[i]) - 2)
            sizes[terms[i]] += size
            doc_freqs[terms[i]] += 1


@kernel()
def write_documents(  # type: ignore[no-untyped-def]
    ids, offsets, term_of, last_doc, slot, terms, counts, steps, cursors, stream
):
    """Write the postings of all documents, those of each term from its cursor on.

    The other arguments are those of :func:`measure_documents`. Nothing of the size of the
    collection is needed beside its words and the bytes that are written.
    """
    for doc in range(len(offsets) - 1):
        words = ids[offsets[doc] : offsets[doc + 1]]
        n = _count_terms(words, term_of, doc, last_doc, slot, terms, counts, steps)
        for i in range(n):
            count = np.int64(counts[i])
            place = _put(np.int64(steps[i]) << 1 | (count > 1), stream, cursors[terms[i]])
            if count > 1:
                place = _put(count - 2, stream, place)
            cursors[terms[i]] = place


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
    n_docs, last = len(scores), len(stream) - 1
    while place < stop:
        number, after = np.int64(stream[place]), np.int64(stream[min(place + 1, last)])
        count = 1.0
        if number < 128 and after < 128:
            # Nearly all postings of frequent terms: whether a count follows is no branch here,
            # since no processor could guess it.
            more = number & 1
            place += 1 + more
            count += more * (after + 1)
        else:
            number, place = _get(stream, place, stop)
            if number & 1:
                rest, place = _get(stream, place, stop)
                if rest < 0:
                    return False
                count = rest + 2.0
        doc += number >> 1
        if number < 2 or doc >= n_docs or place > stop:
            return False
        # Not negative, and said so: an index that may be takes a further test.
        here = np.uint64(doc)
        scores[here] += weight * count / (count + floor + slope * lengths[here])
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
