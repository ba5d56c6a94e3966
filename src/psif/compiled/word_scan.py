"""From UTF-8 bytes to word ids, without a Python string for each word.

Words live in an open-addressing hash table. A slot holds a word's 64-bit hash and its id; equal
hashes are followed by a comparison of all bytes, so two words are never confused.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from psif.compiled.kernel import kernel

# FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/
_FNV_BASIS = np.uint64(14695981039346656037)
_FNV_PRIME = np.uint64(1099511628211)
_HALF = np.uint64(32)

# Classes of characters, as in psif.text.characters.
_LETTER, _WHOLE_WORD, _MARK, _FLAG, _CONNECTOR = 1, 2, 3, 6, 7
_SHARP, _APOSTROPHE, _PLUS, _MINUS, _DOT, _AT, _UNDERSCORE = 35, 39, 43, 45, 46, 64, 95

# Places in the state array: next document, next byte in it, ids written, and the bytes of the word
# that found no room.
DOC, BYTE, N_IDS, NEEDED = 0, 1, 2, 3


class WordTable(NamedTuple):
    """Words and their counts; the id of a word is its place in ``starts``.

    ``size`` holds the number of words and the bytes of ``arena`` in use. Word i is
    ``arena[starts[i]:starts[i + 1]]``. A slot whose id is -1 is free.
    """

    slot_hashes: NDArray[np.uint64]
    slot_ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    arena: NDArray[np.uint8]
    counts: NDArray[np.int64]
    doc_counts: NDArray[np.int64]
    last_docs: NDArray[np.int64]
    size: NDArray[np.int64]


@kernel()
def _first_slot(word_hash, n_slots):  # type: ignore[no-untyped-def]
    # The low bits of FNV-1a mix less well than the high ones: fold them together.
    return np.int64((word_hash ^ (word_hash >> _HALF)) & np.uint64(n_slots - 1))


@kernel()
def _find(text, start, stop, word_hash, table):  # type: ignore[no-untyped-def]
    """Slot that holds the word, or the free slot where it belongs."""
    n_slots = len(table.slot_ids)
    slot = _first_slot(word_hash, n_slots)
    while True:
        word = table.slot_ids[slot]
        if word < 0:
            return slot
        if table.slot_hashes[slot] == word_hash:
            begin = table.starts[word]
            same = table.starts[word + 1] - begin == stop - start
            i = 0
            while same and i < stop - start:
                same = table.arena[begin + i] == text[start + i]
                i += 1
            if same:
                return slot
        slot = (slot + 1) & (n_slots - 1)


@kernel()
def _add(text, start, stop, word_hash, slot, table):  # type: ignore[no-untyped-def]
    """Append a word and enter it in its slot (none: -1); -1 if the table must grow first."""
    word = table.size[0]
    begin = table.size[1]
    after = begin + stop - start
    full = 2 * word >= len(table.slot_ids) or word >= len(table.counts)
    if full or after > len(table.arena):
        return np.int64(-1)
    for i in range(stop - start):
        table.arena[begin + i] = text[start + i]
    table.starts[word + 1] = after
    if slot >= 0:
        table.slot_hashes[slot] = word_hash
        table.slot_ids[slot] = word
    table.size[0] = word + 1
    table.size[1] = after
    return np.int64(word)


@kernel()
def add_words(text, offsets, table):  # type: ignore[no-untyped-def]
    """Append given words as they are; the table must have room for them.

    A word that is there already keeps its slot: the copy has an id, so that ids follow the order
    of the words, but is never found.
    """
    for i in range(len(offsets) - 1):
        word_hash = _FNV_BASIS
        for position in range(offsets[i], offsets[i + 1]):
            word_hash = (word_hash ^ np.uint64(text[position])) * _FNV_PRIME
        slot = _find(text, offsets[i], offsets[i + 1], word_hash, table)
        if table.slot_ids[slot] >= 0:
            slot = np.int64(-1)
        _add(text, offsets[i], offsets[i + 1], word_hash, slot, table)


@kernel()
def class_at(text, position, classes):  # type: ignore[no-untyped-def]
    """Class and byte width of the UTF-8 character at a position."""
    first = np.int64(text[position])
    if first < 0x80:
        return classes[first], 1
    if first < 0xE0:
        code = (first & 0x1F) << 6 | np.int64(text[position + 1]) & 0x3F
        return classes[code], 2
    if first < 0xF0:
        code = (first & 0x0F) << 12 | (np.int64(text[position + 1]) & 0x3F) << 6
        return classes[code | np.int64(text[position + 2]) & 0x3F], 3
    code = (first & 0x07) << 18 | (np.int64(text[position + 1]) & 0x3F) << 12
    code |= (np.int64(text[position + 2]) & 0x3F) << 6
    return classes[code | np.int64(text[position + 3]) & 0x3F], 4


@kernel()
def run_end(text, position, stop, classes):  # type: ignore[no-untyped-def]
    """End of the run of characters of one class, and marks, that begins at a position."""
    run, width = class_at(text, position, classes)
    n_chars = 0
    while True:
        position += width
        n_chars += 1
        if position >= stop or run == _WHOLE_WORD or (run == _FLAG and n_chars == 2):
            return position
        kind, width = class_at(text, position, classes)
        if kind != run and (kind != _MARK or run == _FLAG):
            return position


@kernel()
def letters_end(text, position, stop, classes):  # type: ignore[no-untyped-def]
    """End of the letters from a position on; the position itself if there is none."""
    wanted = _LETTER
    while position < stop:
        kind, width = class_at(text, position, classes)
        if kind != _LETTER and kind != wanted:
            break
        position += width
        wanted = _MARK
    return position


@kernel()
def is_digit(text, position):  # type: ignore[no-untyped-def]
    """Whether an ASCII digit is at a position."""
    return 48 <= text[position] <= 57


@kernel()
def _address_end(text, position, stop, classes):  # type: ignore[no-untyped-def]
    """End of an address such as first.last@host.org whose first part ends here; -1: there is none.

    At most four parts before the sign, so that long chains of dots are not read again and again.
    """
    n_parts = 0
    while position < stop and text[position] != _AT:
        if n_parts == 3 or text[position] not in (_DOT, _PLUS, _UNDERSCORE, _MINUS):
            return -1
        after = letters_end(text, position + 1, stop, classes)
        if after == position + 1:
            return -1
        position = after
        n_parts += 1
    host = position + 1
    position = letters_end(text, host, stop, classes) if position < stop else host
    if position <= host:
        return -1
    while position < stop and text[position] in (_DOT, _MINUS):
        after = letters_end(text, position + 1, stop, classes)
        if after == position + 1:
            break
        position = after
    return position


@kernel()
def contraction_end(text, position, stop, classes):  # type: ignore[no-untyped-def]
    """End of an ending such as 't or 'll at a position, or the position."""
    if position + 1 >= stop or text[position] != _APOSTROPHE:
        return position
    # ASCII letters without their case.
    first = text[position + 1] | 32
    after = position
    if first in (116, 100, 109):  # t d m
        after = position + 2
    elif position + 2 < stop:
        second = text[position + 2] | 32
        if ((first == 114 or first == 118) and second == 101) or (first == 108 and second == 108):
            after = position + 3  # re ve ll
    return after if _ends(text, after, stop, classes) else position


@kernel()
def _ends(text, position, stop, classes):  # type: ignore[no-untyped-def]
    """Whether no letter or mark follows."""
    if position >= stop:
        return True
    kind, _ = class_at(text, position, classes)
    return kind != _LETTER and kind != _MARK


@kernel()
def after_possessive(text, position, stop, classes):  # type: ignore[no-untyped-def]
    """Position after an 's, which is no word, or the position itself."""
    if position + 1 >= stop or text[position] != _APOSTROPHE or text[position + 1] | 32 != 115:
        return position
    return position + 2 if _ends(text, position + 2, stop, classes) else position


@kernel()
def _word_end(text, start, position, stop, classes):  # type: ignore[no-untyped-def]
    """End of the word of letters whose first run ends at a position, before a connector.

    :mod:`psif.text.patterns` has the rules in a form to read.
    """
    if text[start] != _SHARP:
        after = _address_end(text, position, stop, classes)
        if after >= 0:
            return after
        n_plus = 0
        while n_plus < 3 and position + n_plus < stop and text[position + n_plus] == _PLUS:
            n_plus += 1
        if n_plus == 2:
            return position + 2
        if text[position] == _SHARP and position == start + 1:
            is_latin = 97 <= text[start] | 32 <= 122
            if is_latin and _ends(text, position + 1, stop, classes):
                return position + 1
    while (
        position + 1 < stop
        and text[position] == _DOT
        and is_digit(text, position - 1)
        and is_digit(text, position + 1)
    ):
        position = letters_end(text, position + 1, stop, classes)
    return contraction_end(text, position, stop, classes)


@kernel()
def scan_words(  # type: ignore[no-untyped-def]
    text, offsets, classes, min_length, n_stop, first_doc, n_buckets, first_bucket,
    table, ids, ends, n_tokens, state,
):  # fmt: skip
    """Cut documents into words and write the words' ids.

    Parameters
    ----------
    text, offsets
        UTF-8 bytes of all documents and where each begins.
    classes
        By code point; see :mod:`psif.text.characters`. Only tables with connectors have words
        that are more than a run of characters.
    min_length
        Words of fewer characters are skipped and not counted.
    n_stop
        The table's first words are stop words: skipped and not counted. A word's id is its
        place after them.
    first_doc
        Number of the first document, to count in how many documents a word occurs; with -1
        nothing is learnt: unknown words are skipped, but counted in ``n_tokens``.
    n_buckets, first_bucket
        Instead of being skipped, unknown words get one of so many ids, from the first one on,
        by their hash.
    ids, ends, n_tokens
        Written: ids, for each document the end of its ids, and its number of words.
    state
        Where the scan continues; see ``DOC``, ``BYTE``, ``N_IDS`` and ``NEEDED``.

    Returns
    -------
    done : bool
        False when the table is full: enlarge it by at least ``state[NEEDED]`` bytes and call
        again with the same state.
    """
    learn = first_doc >= 0
    n_ids = state[N_IDS]
    for doc in range(state[DOC], len(offsets) - 1):
        position = max(offsets[doc], state[BYTE])
        stop = offsets[doc + 1]
        while position < stop:
            kind, width = class_at(text, position, classes)
            if kind == 0 or kind == _MARK:
                position += width
                continue
            start = position
            n_chars = 0
            word_hash = _FNV_BASIS
            if kind == _CONNECTOR:
                position += 1
                if text[start] != _SHARP or position >= stop or not is_digit(text, position):
                    continue
                kind = classes[text[position]]
                n_chars = 1
                word_hash = (word_hash ^ np.uint64(_SHARP)) * _FNV_PRIME
            run = kind
            while True:
                if width == 1:
                    word_hash = (word_hash ^ np.uint64(text[position])) * _FNV_PRIME
                else:
                    for i in range(position, position + width):
                        word_hash = (word_hash ^ np.uint64(text[i])) * _FNV_PRIME
                position += width
                n_chars += 1
                if position >= stop:
                    break
                kind, width = class_at(text, position, classes)
                if kind == run:
                    if run == _LETTER:
                        continue
                    if run == _WHOLE_WORD or (run == _FLAG and n_chars == 2):
                        break
                elif kind != _MARK or run in (_WHOLE_WORD, _FLAG):
                    break
            end = position
            # Most often a connector is a full stop before a space.
            if kind == _CONNECTOR and (
                text[position] == _SHARP or (position + 1 < stop and text[position + 1] > 32)
            ):
                if run == _LETTER:
                    end = _word_end(text, start, position, stop, classes)
                    for i in range(position, end):
                        word_hash = (word_hash ^ np.uint64(text[i])) * _FNV_PRIME
                        # All bytes of a character but its first begin with the bits 10.
                        n_chars += (text[i] & 0xC0) != 0x80
                position = after_possessive(text, end, stop, classes)
            if n_chars < min_length:
                continue
            slot = _find(text, start, end, word_hash, table)
            word = np.int64(table.slot_ids[slot])
            if word < 0 and learn:
                word = _add(text, start, end, word_hash, slot, table)
                if word < 0:
                    state[DOC], state[BYTE], state[N_IDS] = doc, start, n_ids
                    state[NEEDED] = end - start
                    return False
            if word >= n_stop or word < 0:
                n_tokens[doc] += 1
            if word < 0 and n_buckets > 0:
                folded = word_hash ^ (word_hash >> _HALF)
                ids[n_ids] = first_bucket + np.int64(folded % np.uint64(n_buckets))
                n_ids += 1
            if word >= n_stop:
                ids[n_ids] = word - n_stop
                n_ids += 1
                if learn:
                    table.counts[word] += 1
                    if table.last_docs[word] != first_doc + doc:
                        table.last_docs[word] = first_doc + doc
                        table.doc_counts[word] += 1
        ends[doc] = n_ids
    state[N_IDS] = n_ids
    return True
