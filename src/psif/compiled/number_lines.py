"""Read lines of a word and its numbers from raw bytes."""

from __future__ import annotations

import numpy as np

from psif.compiled.kernel import kernel

_NEWLINE, _RETURN, _SPACE, _TAB = 10, 13, 32, 9
_PLUS, _MINUS, _DOT, _ZERO, _NINE, _E, _BIG_E = 43, 45, 46, 48, 57, 101, 69


@kernel()
def find_words(buffer, dim):  # type: ignore[no-untyped-def]
    """Where each line's word and numbers are: rows of (word start, word end, line end).

    The numbers are the last ``dim`` fields, so that a word may hold spaces. Word end is -1 on a
    line with fewer fields. Every line must end in a newline.
    """
    n_lines = 0
    for byte in buffer:
        n_lines += byte == _NEWLINE
    spans = np.empty((n_lines, 3), dtype=np.int64)
    start = 0
    line = 0
    for i in range(len(buffer)):
        if buffer[i] != _NEWLINE:
            continue
        end = i
        while end > start and (buffer[end - 1] <= _SPACE):
            end -= 1
        place = end
        fields = 0
        while fields < dim and place > start:
            while place > start and buffer[place - 1] > _SPACE:
                place -= 1
            fields += 1
            while fields < dim and place > start and buffer[place - 1] <= _SPACE:
                place -= 1
        # ``place`` is the first byte of the first number; one separator stands before it.
        spans[line, 0] = start
        spans[line, 1] = place - 1 if fields == dim and place > start + 1 else -1
        spans[line, 2] = end
        line += 1
        start = i + 1
    return spans


@kernel()
def read_numbers(buffer, spans, out):  # type: ignore[no-untyped-def]
    """Parse the numbers of some lines into ``out``; return the first bad line's index or -1.

    Mantissa digits are gathered in a whole number and scaled once, in double precision, which
    is nearest-float exact for the nine digits that a float32 needs.
    """
    dim = out.shape[1]
    for line in range(len(spans)):
        place = spans[line, 1]
        end = spans[line, 2]
        for j in range(dim):
            while place < end and buffer[place] <= _SPACE:
                place += 1
            sign = 1.0
            if place < end and (buffer[place] == _MINUS or buffer[place] == _PLUS):
                sign = -1.0 if buffer[place] == _MINUS else 1.0
                place += 1
            mantissa = np.int64(0)
            scale = 0
            digits = 0
            after_dot = 0
            while place < end and buffer[place] > _SPACE:
                byte = buffer[place]
                if _ZERO <= byte <= _NINE:
                    digits += 1
                    if mantissa < 100_000_000_000_000_000:
                        mantissa = mantissa * 10 + (byte - _ZERO)
                        scale -= after_dot
                    else:
                        scale += 1 - after_dot
                elif byte == _DOT and not after_dot:
                    after_dot = 1
                else:
                    break
                place += 1
            if digits == 0:
                return line
            if place < end and (buffer[place] == _E or buffer[place] == _BIG_E):
                place += 1
                negative = False
                if place < end and (buffer[place] == _MINUS or buffer[place] == _PLUS):
                    negative = buffer[place] == _MINUS
                    place += 1
                exponent = 0
                digits = 0
                while place < end and _ZERO <= buffer[place] <= _NINE:
                    exponent = min(exponent * 10 + (buffer[place] - _ZERO), 9999)
                    digits += 1
                    place += 1
                if digits == 0:
                    return line
                scale += -exponent if negative else exponent
            if place < end and buffer[place] > _SPACE:
                return line
            value = sign * mantissa
            if mantissa != 0:
                if scale < -300:  # 10 ** -320 is no normal number: scale in two steps.
                    value = value * 10.0**-300 * 10.0 ** max(scale + 300, -300)
                elif scale < 0:
                    value = value / 10.0 ** (-scale)
                else:
                    value = value * 10.0 ** min(scale, 300)
            out[line, j] = value
    return -1
