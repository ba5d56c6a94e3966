"""The few parts of Thrift's compact protocol that Parquet's metadata needs.

See https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_TRUE, _FALSE, _I8, _I32, _I64, _BINARY, _LIST, _STRUCT = 1, 2, 3, 5, 6, 8, 9, 12


class Value(NamedTuple):
    """An encoded value and its type."""

    kind: int
    data: bytes


def varint(number: int) -> bytes:
    """Seven bits a byte, low ones first."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def i8(number: int) -> Value:
    """One byte."""
    return Value(_I8, number.to_bytes(1, "little", signed=True))


def i32(number: int) -> Value:
    """Encode a 32-bit number; only those >= 0 occur."""
    return Value(_I32, varint(number << 1))


def i64(number: int) -> Value:
    """Encode a 64-bit number; only those >= 0 occur."""
    return Value(_I64, varint(number << 1))


def boolean(truth: bool) -> Value:
    """Carried by the type alone."""
    return Value(_TRUE if truth else _FALSE, b"")


def binary(data: bytes | str) -> Value:
    """Bytes, or a text in UTF-8."""
    data = data.encode() if isinstance(data, str) else data
    return Value(_BINARY, varint(len(data)) + data)


def sequence(values: Sequence[Value]) -> Value:
    """Return a list of values, all of one type; an empty one counts as a list of structures."""
    kind = values[0].kind if values else _STRUCT
    size = len(values)
    head = bytes([size << 4 | kind]) if size < 15 else bytes([0xF0 | kind]) + varint(size)
    return Value(_LIST, head + b"".join(value.data for value in values))


def struct(fields: dict[int, Value | None]) -> Value:
    """Return a structure of fields by number, in rising order; None leaves one out."""
    out = bytearray()
    last = 0
    for number, value in fields.items():
        if value is None:
            continue
        assert 0 < number - last < 16
        out.append((number - last) << 4 | value.kind)
        out += value.data
        last = number
    return Value(_STRUCT, bytes(out) + b"\0")
