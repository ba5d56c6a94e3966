"""Documents to the ids of their search words: every word, and every identifier as a whole.

The words are those of :mod:`psif.compiled.word_scan`. An identifier is a run of words without a
space that looks like a name of something technical, such as ``c++``, ``node.js``, ``snake_case`` or
``ab-1234``; :mod:`psif.search.words` has the exact rule, as a regular expression.
"""

from __future__ import annotations

import numpy as np

from psif.compiled.kernel import kernel
from psif.compiled.word_scan import (
    _FNV_BASIS,
    _FNV_PRIME,
    _add,
    _find,
    after_possessive,
    class_at,
    contraction_end,
    is_digit,
    letters_end,
    run_end,
)

# Places in the state array: next document, next byte in it, ids written, bytes of the new word.
DOC, BYTE, N_IDS, NEEDED = 0, 1, 2, 3
LONGEST_IDENTIFIER = 64

_DOT, _UNDERSCORE, _MINUS, _SLASH, _BACKSLASH, _COLON, _AT = 46, 95, 45, 47, 92, 58, 64
_PLUS, _HASH = 43, 35
# Classes of characters, as in psif.text.characters.
_LETTER, _MARK, _CONNECTOR = 1, 3, 7


@kernel()
def _connects(byte):  # type: ignore[no-untyped-def]
    return byte in (_DOT, _UNDERSCORE, _MINUS, _SLASH, _BACKSLASH, _COLON, _AT)


@kernel()
def _suffix(text, position, stop):  # type: ignore[no-untyped-def]
    """Bytes of ``++`` or ``#`` at a position; 0 for anything else."""
    if position < stop and text[position] == _HASH:
        return 1
    if position + 1 < stop and text[position] == _PLUS and text[position + 1] == _PLUS:
        return 2
    return 0


@kernel()
def _has_digit(text, start, stop):  # type: ignore[no-untyped-def]
    n_digits = 0
    for position in range(start, stop):
        n_digits += is_digit(text, position)
    return n_digits > 0


@kernel()
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


@kernel()
def scan_terms(text, offsets, classes, table, ids, ends, state):  # type: ignore[no-untyped-def]
    """Write the ids of the words and identifiers of documents; new ones get new ids.

    Parameters
    ----------
    text, offsets
        UTF-8 bytes of all documents, as the tokenizer prepares them, and where each begins.
    classes
        By code point, of the preset "words"; see :mod:`psif.text.characters`.
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
            kind, width = class_at(text, position, classes)
            if kind in (0, _MARK, _CONNECTOR):
                position += width
                continue
            # A full table sends the scan back here, so that no identifier is cut in two.
            first, n_before = position, n_ids
            sharp = first > offsets[doc] and text[first - 1] == _HASH and is_digit(text, first)
            n_connections, technical = 0, False
            while True:
                start = position
                if kind == _LETTER:
                    position = letters_end(text, start, stop, classes)
                    technical = technical or _has_digit(text, start, position)
                    position = contraction_end(text, position, stop, classes)
                else:
                    position = run_end(text, start, stop, classes)
                word = _word_id(text, start, position, table)
                if word < 0:
                    state[DOC], state[BYTE], state[N_IDS] = doc, first, n_before
                    state[NEEDED] = position - start
                    return False
                ids[n_ids] = word
                n_ids += 1
                if kind != _LETTER or position + 1 >= stop or not _connects(text[position]):
                    break
                if class_at(text, position + 1, classes)[0] != _LETTER:
                    break
                technical = technical or text[position] in (_DOT, _UNDERSCORE, _AT)
                n_connections += 1
                position += 1
            suffix = _suffix(text, position, stop) if kind == _LETTER else 0
            end = position + suffix
            position = end if suffix else after_possessive(text, end, stop, classes)
            if suffix or sharp or (n_connections and technical):
                first -= sharp
                if end - first > LONGEST_IDENTIFIER:
                    continue
                word = _word_id(text, first, end, table)
                if word < 0:
                    state[DOC], state[BYTE], state[N_IDS] = doc, first, n_before
                    state[NEEDED] = end - first
                    return False
                ids[n_ids] = word
                n_ids += 1
        ends[doc] = n_ids
        state[BYTE] = 0
    state[N_IDS] = n_ids
    return True
