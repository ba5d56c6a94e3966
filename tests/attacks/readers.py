"""Mutated files of documents and of vectors: a reader gives rows, or an error of psif.

Nothing else is allowed: no other exception, no error without the file's name, no id that cannot be
stored, no file that is never finished.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import random
import signal
import tempfile
import threading
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from safetensors.numpy import save
from scipy.sparse import csr_array

from psif.errors import PsifError
from psif.files.readers import ReadOptions, ReadReport, read_documents
from psif.files.vector_files import read_vectors, vector_shape
from psif.files.vector_origin import vector_model
from psif.files.writers import FORMATS

SECONDS = 20  # for one file of a few kilobytes
DOCUMENTS = {".txt", ".jsonl", ".csv", ".tsv", ".parquet"}
TEXTS = ["Größe und Übel, naïve", "", "plain words here", '"quoted", and more', "漢字 \U0001f600"]
# Put into files by the mutations: what has a meaning in some format.
TOKENS = [
    b'"', b'""', b'"\n', b"\0", b"\r", b"\r\n", b"\n", b",", b"\t", b"\\ud800", b"\xff", b"\x1a",
    b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\xef\xbb\xbf", b"{", b"[" * 3000, b"1e999",
    b"9" * 5000, b"null", b"NaN", b'"text": 1', b'"id": "\\udc00"', b"PAR1", b"\x1f\x8b",
    b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"A" * 9000,
]  # fmt: skip
ENCODINGS = [None, None, None, "utf-8", "utf-16", "utf-32", "latin-1", "utf-7", "shift_jis"]
ENCODINGS += ["punycode"]


class TooSlow(BaseException):
    """A reader does not come back."""


def attack(n_mutations, seed=0):
    """Read mutated files; return how many, and what went wrong."""
    chance = random.Random(seed)
    failures = []
    seeds = list(seed_files())
    with tempfile.TemporaryDirectory() as name:
        for number in range(n_mutations):
            ending, content = chance.choice(seeds)
            data = mutated(content, chance, [other for _, other in seeds])
            packed = ending in DOCUMENTS and chance.random() < 0.2
            path = Path(name) / f"x{ending}{'.gz' if packed else ''}"
            if packed:
                data = gzip.compress(data, mtime=0)
                data = mutated(data, chance, []) if chance.random() < 0.5 else data
            path.write_bytes(data)
            problem = problem_of(path, random_options(chance))
            if problem:
                failures.append(f"mutation {number} of seed {seed} ({path.name}): {problem}")
            path.unlink()
    return n_mutations, failures


def random_options(chance):
    return ReadOptions(
        text_column=chance.choice([None, None, "text", "id", "none"]),
        id_column=chance.choice([None, None, "id", "text"]),
        on_error=chance.choice(["fail", "skip"]),
        encoding=chance.choice(ENCODINGS),
    )


def problem_of(path, options):
    """Read a file in every way it can be read; return what is wrong about it, or None."""
    ways = [lambda: _read_documents(path, options)] if path.suffixes[0] in DOCUMENTS else []
    if path.suffix in FORMATS:
        ways += [lambda: list(read_vectors(path)), lambda: vector_shape(path)]
        ways += [lambda: vector_model(path)]
    for way in ways:
        try:
            with time_limit(SECONDS), warnings.catch_warnings():
                warnings.simplefilter("error")
                way()
        except PsifError as error:
            if path.name not in str(error):
                return f"the error does not name the file: {error}"
        except BaseException as error:
            return f"{type(error).__name__}: {error}"
    return None


def _read_documents(path, options):
    report = ReadReport()
    n_docs = 0
    for document in read_documents([path], options, report):
        document.id.encode()  # every output can store it
        assert isinstance(document.text, str)
        n_docs += 1
    assert report.n_docs == n_docs > 0
    assert options.on_error == "skip" or report.n_skipped == 0


@contextlib.contextmanager
def time_limit(seconds):
    """Raise TooSlow where a signal can; other systems and threads have no limit."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number, frame):
        raise TooSlow(f"not finished in {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def mutated(content, chance, others):
    """Change some places of a content, as an accident or somebody who means harm would."""
    data = bytearray(content)
    for _ in range(chance.choice([1, 1, 2, 3, 8])):
        place = chance.randrange(len(data) + 1)
        end = min(len(data), place + chance.choice([1, 2, 16, 200]))
        kind = chance.randrange(7)
        if kind == 0 and place < len(data):
            data[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[place:place] = chance.choice(TOKENS)
        elif kind == 2:
            del data[place:end]
        elif kind == 3:
            data[place:end] = chance.randbytes(end - place)
        elif kind == 4:
            data[place:place] = data[place:end] * chance.choice([1, 2, 20])
        elif kind == 5 and others:
            other = chance.choice(others)
            begin = chance.randrange(len(other))
            data[place:end] = other[begin : begin + 300]
        elif kind == 6 and chance.random() < 0.3:
            del data[place:]
    return bytes(data)


def seed_files():
    """Yield sound files of every format: their ending and their content."""
    lines = "\n".join(TEXTS) + "\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"):
        yield ".txt", lines.encode(encoding)
    yield ".txt", "Größe\rund\rÜbel\r".encode("cp1252")
    records = [json.dumps({"id": str(i), "text": text}) for i, text in enumerate(TEXTS)]
    yield (
        ".jsonl",
        ("\n".join([*records, '"bare"', '{"id": 7, "text": "x", "n": 1}']) + "\n").encode(),
    )
    for ending, delimiter in ((".csv", ","), (".tsv", "\t")):
        quoted = ['"' + text.replace('"', '""') + '"' for text in TEXTS]
        rows = ["id,text,n", *(f"{i},{text},0" for i, text in enumerate(quoted)), "8,plain,1"]
        table = "\n".join(row.replace(",", delimiter) for row in rows)
        yield ending, table.encode()
        yield ending, table.replace("\n", "\r\n").encode("utf-16")
    columns = {"id": [str(i) for i in range(5)], "text": TEXTS, "n": [0.5, None, 1, 2, 3]}
    for options in ({}, {"compression": "gzip", "use_dictionary": False}, {"row_group_size": 2}):
        yield ".parquet", _parquet(pa.table(columns), **options)
    coded = pa.table({"text": pa.array(TEXTS).dictionary_encode(), "id": pa.array([b"a"] * 5)})
    yield ".parquet", _parquet(coded)
    yield from _vector_files()


def _vector_files():
    rows = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)
    ids = [f"document {i}" for i in range(5)]
    out = io.BytesIO()
    np.save(out, rows)
    yield ".npy", out.getvalue()
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), 3)
    yield ".parquet", _parquet(pa.table({"id": ids, "vector": vectors}))
    records = [{"id": key, "vector": row.tolist()} for key, row in zip(ids, rows, strict=True)]
    yield ".jsonl", "".join(json.dumps(record) + "\n" for record in records).encode()
    for scaled in (False, True):
        yield ".npz", sparse_file(ids, rows, scaled)
    keys = "".join(ids).encode()
    tensors = {
        "vectors": rows,
        "ids": np.frombuffer(keys, dtype=np.uint8),
        "id_offsets": np.cumsum([0, *map(len, ids)]).astype(np.int64),
    }
    yield ".safetensors", save(tensors, {"model": "0" * 64})


def sparse_file(ids, rows, scaled):
    """Return a .npz of a sparse matrix with ids and, for whole numbers, scales."""
    out = io.BytesIO()
    matrix = csr_array(np.rint(rows * 50).astype(np.int8) if scaled else rows * (rows > 0))
    parts = {
        "indices": matrix.indices.astype(np.int32),
        "indptr": matrix.indptr.astype(np.int64),
        "format": np.array(b"csr"),
        "shape": np.array(matrix.shape, np.int64),
        "data": matrix.data,
        "ids": np.array(ids),
        "model": np.array("0" * 64),
        **({"scales": np.full(len(ids), 0.02, np.float32)} if scaled else {}),
    }
    with zipfile.ZipFile(out, "w") as archive:
        for name, array in parts.items():
            member = io.BytesIO()
            np.save(member, array)
            packing = zipfile.ZIP_DEFLATED if name == "ids" else zipfile.ZIP_STORED
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), member.getvalue(), packing)
    return out.getvalue()


def _parquet(table, **options):
    out = io.BytesIO()
    pq.write_table(table, out, **options)
    return out.getvalue()
