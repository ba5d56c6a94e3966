"""Documents to the ids of their search words: every word, and every identifier as a whole.

The words are those of :mod:`psif.compiled.word_scan`. An identifier is a run of words without a
space that looks like a name of something technical, such as ``c++``, ``node.js``, ``snake_case`` or
``ab-1234``; :mod:`psif.search.words` has the exact rule, as a regular expression.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from psif.compiled.word_scan import _FNV_BASIS, _FNV_PRIME, _add, _class_at, _find

# Places in the state array: next document, next byte in it, ids written, bytes of the new word.
DOC, BYTE, N_IDS, NEEDED = 0, 1, 2, 3
LONGEST_IDENTIFIER = 64

_DOT, _UNDERSCORE, _MINUS, _SLASH, _BACKSLASH, _COLON, _AT = 46, 95, 45, 47, 92, 58, 64
_PLUS, _HASH, _ZERO, _NINE = 43, 35, 48, 57


@njit(cache=True, nogil=True)
def _connects(byte):  # type: ignore[no-untyped-def]
    return byte in (_DOT, _UNDERSCORE, _MINUS, _SLASH, _BACKSLASH, _COLON, _AT)


@njit(cache=True, nogil=True)
def _suffix(text, position, stop):  # type: ignore[no-untyped-def]
    """Bytes of ``++`` or ``#`` at a position; 0 for anything else."""
    if position < stop and text[position] == _HASH:
        return 1
    if position + 1 < stop and text[position] == _PLUS and text[position + 1] == _PLUS:
        return 2
    return 0


@njit(cache=True, nogil=True)
def _word_id(text, start, stop, table):  # type: ignore[no-untyped-def]
    """Id of a word, which is added if it is new; -1 if the table must grow first."""
    word_hash = _FNV_BASIS
    for position in range(start, stop):
        word_hash = (word_hash ^ np.uint64(text[position])) * _FNV_PRIME
    slot = _find(text, start, stop, word_hash, table)
    word = np.int64(table.slot_ids[slot])
    if word < 0:
        word = _add(text, start, stop, word_hash, slot, table)
    return word


@njit(cache=True, nogil=True)
def scan_terms(text, offsets, classes, table, ids, ends, state):  # type: ignore[no-untyped-def]
    """Write the ids of the words and identifiers of documents; new ones get new ids.

    Parameters
    ----------
    text, offsets
        Lower-cased UTF-8 bytes of all documents and where each begins.
    classes
        By code point: 0 separates, 1 joins, 2 is a word by itself.
    table : WordTable
    ids, ends
        Written: ids, and for each document the end of its ids.
    state
        Where the scan continues; see ``DOC``, ``BYTE``, ``N_IDS`` and ``NEEDED``.

    Returns
    -------
    done : bool
        False when the table is full: enlarge it by at least ``state[NEEDED]`` bytes and call
        again with the same state.
    """
    n_ids = state[N_IDS]
    for doc in range(state[DOC], len(offsets) - 1):
        position = max(offsets[doc], state[BYTE])
        stop = offsets[doc + 1]
        while position < stop:
            kind, width = _class_at(text, position, classes)
            if kind == 0:
                position += width
                continue
            # A full table sends the scan back here, so that no identifier is cut in two.
            first, n_before = position, n_ids
            n_connections, technical = 0, False
            while True:
                start = position
                while True:
                    technical = technical or _ZERO <= text[position] <= _NINE
                    position += width
                    if kind == 2 or position >= stop:
                        break
                    kind_after, width = _class_at(text, position, classes)
                    if kind_after != 1:
                        break
                word = _word_id(text, start, position, table)
                if word < 0:
                    state[DOC], state[BYTE], state[N_IDS] = doc, first, n_before
                    state[NEEDED] = position - start
                    return False
                ids[n_ids] = word
                n_ids += 1
                if kind == 2 or position + 1 >= stop or not _connects(text[position]):
                    break
                kind, width = _class_at(text, position + 1, classes)
                if kind != 1:
                    kind = 1
                    break
                technical = technical or text[position] in (_DOT, _UNDERSCORE, _AT)
                n_connections += 1
                position += 1
            suffix = 0 if kind == 2 else _suffix(text, position, stop)
            position += suffix
            if suffix or (n_connections and technical):
                if position - first > LONGEST_IDENTIFIER:
                    continue
                word = _word_id(text, first, position, table)
                if word < 0:
                    state[DOC], state[BYTE], state[N_IDS] = doc, first, n_before
                    state[NEEDED] = position - first
                    return False
                ids[n_ids] = word
                n_ids += 1
        ends[doc] = n_ids
        state[BYTE] = 0
    state[N_IDS] = n_ids
    return True
