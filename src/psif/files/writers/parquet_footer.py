"""The footer of a Parquet file: schema, and where the columns of each row group lie."""

from __future__ import annotations

import base64
from typing import Any

from psif.files.writers.layout import Note
from psif.files.writers.thrift import Value, binary, boolean, i8, i32, i64, sequence, struct

MAGIC = b"PAR1"
# Names the checksum of the model among the metadata.
MODEL_KEY = "psif:model"
PLAIN, RUN_LENGTH, DICTIONARY_INDICES = 0, 3, 8

# Physical types, repetition types and converted types of parquet.thrift.
_INT32, _FLOAT, _BYTE_ARRAY, _FIXED = 1, 4, 6, 7
_REQUIRED, _REPEATED = 0, 2
_UTF8, _LIST, _INT_8 = 0, 3, 15

_NUMBERS = {"float32": _FLOAT, "float16": _FIXED, "int8": _INT32}
_PATHS = {"id": ["id"], "vector": ["vector", "list", "element"], "scale": ["scale"]}


def footer(dim: int, dtype: str, notes: list[Note], model: str = "") -> bytes:
    """Return the footer with its length and the closing magic."""
    groups = [_row_group(note, dtype) for note in notes]
    facts: dict[str, bytes | str] = {"ARROW:schema": _arrow_schema(dim, dtype)}
    if model:
        facts[MODEL_KEY] = model
    key_values = [struct({1: binary(key), 2: binary(value)}) for key, value in facts.items()]
    metadata = struct(
        {
            1: i32(2),
            2: sequence(_schema(dtype)),
            3: i64(sum(note["rows"] for note in notes)),
            4: sequence(groups),
            5: sequence(key_values),
            6: binary("psif"),
        }
    ).data
    return metadata + len(metadata).to_bytes(4, "little") + MAGIC


def _arrow_schema(dim: int, dtype: str) -> bytes:
    """Arrow's own schema, from which its readers learn that the lists have a fixed size."""
    import pyarrow as pa

    kind = {"float32": pa.float32(), "float16": pa.float16(), "int8": pa.int8()}[dtype]
    element = pa.field("element", kind, nullable=False)
    fields = [
        pa.field("id", pa.string(), nullable=False),
        pa.field("vector", pa.list_(element, dim), nullable=False),
    ]
    if dtype == "int8":
        fields.append(pa.field("scale", pa.float32(), nullable=False))
    return base64.b64encode(pa.schema(fields).serialize().to_pybytes())


def _schema(dtype: str) -> list[Value]:
    """Return the tree of columns, depth first."""
    text, a_list = struct({1: struct({})}), struct({3: struct({})})
    integer = struct({10: struct({1: i8(8), 2: boolean(True)})})
    half = struct({15: struct({})})
    columns = [
        _element("schema", children=3 if dtype == "int8" else 2),
        _element("id", kind=_BYTE_ARRAY, repetition=_REQUIRED, converted=_UTF8, logical=text),
        _element("vector", repetition=_REQUIRED, children=1, converted=_LIST, logical=a_list),
        _element("list", repetition=_REPEATED, children=1),
        _element(
            "element",
            kind=_NUMBERS[dtype],
            length=2 if dtype == "float16" else None,
            repetition=_REQUIRED,
            converted=_INT_8 if dtype == "int8" else None,
            logical={"int8": integer, "float16": half}.get(dtype),
        ),
    ]
    if dtype == "int8":
        columns.append(_element("scale", kind=_FLOAT, repetition=_REQUIRED))
    return columns


def _element(
    name: str,
    *,
    kind: int | None = None,
    length: int | None = None,
    repetition: int | None = None,
    children: int | None = None,
    converted: int | None = None,
    logical: Value | None = None,
) -> Value:
    def number(value: int | None) -> Value | None:
        return None if value is None else i32(value)

    return struct(
        {
            1: number(kind),
            2: number(length),
            3: number(repetition),
            4: binary(name),
            5: number(children),
            6: number(converted),
            10: logical,
        }
    )


def _row_group(note: dict[str, Any], dtype: str) -> Value:
    columns = [_column(name, place, dtype) for name, place in note["columns"].items()]
    size = sum(place[1] for place in note["columns"].values())
    return struct({1: sequence(columns), 2: i64(size), 3: i64(note["rows"])})


def _column(name: str, place: list[int], dtype: str) -> Value:
    position, size, n_values, dictionary = place
    kind = {"id": _BYTE_ARRAY, "vector": _NUMBERS[dtype], "scale": _FLOAT}[name]
    encodings = [PLAIN, RUN_LENGTH] + ([DICTIONARY_INDICES] if dictionary else [])
    metadata = struct(
        {
            1: i32(kind),
            2: sequence([i32(encoding) for encoding in encodings]),
            3: sequence([binary(part) for part in _PATHS[name]]),
            4: i32(0),
            5: i64(n_values),
            6: i64(size),
            7: i64(size),
            9: i64(position + dictionary),
            11: i64(position) if dictionary else None,
        }
    )
    return struct({2: i64(position), 3: metadata})
