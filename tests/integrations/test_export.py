"""Exports to real stores: what is in them afterwards, and what is refused."""

import json

import numpy as np
import pytest

from psif.errors import InputError
from psif.integrations.stores import export as module
from psif.integrations.stores.base import ExportError, hidden
from psif.integrations.stores.catalogue import STORES, store_class
from psif.integrations.stores.export import export
from psif.integrations.stores.joining import Joined
from tests.cli.conftest import run  # noqa: F401

PACKAGES = {name: entry.package for name, entry in STORES.items()}
N_DOCS, N_DIMS = 230, 24


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    pgserver = pytest.importorskip("pgserver", reason="make test-integrations installs it")
    pytest.importorskip("psycopg")
    server = pgserver.get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(params=list(STORES))
def target(request, tmp_path):
    """The name of a store and an address that is new."""
    name = request.param
    if name == "pgvector":
        return name, request.getfixturevalue("postgres")
    if PACKAGES[name]:
        pytest.importorskip(PACKAGES[name], reason="make test-integrations installs it")
    return name, str(tmp_path / "store")


@pytest.fixture
def table(request):
    """A table of its own for each test: all share one PostgreSQL."""
    return "t_" + "".join(c if c.isalnum() else "_" for c in request.node.name).lower()[:40]


@pytest.fixture
def files(tmp_path):
    """Vectors, and the documents that they were made from."""
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((N_DOCS, N_DIMS)).astype(np.float32)
    vectors[7] = 0
    docs = [{"id": f"d'{i}", "text": f"text {i} ü", "year": 2000 + i % 5} for i in range(N_DOCS)]
    path, texts = tmp_path / "v.jsonl", tmp_path / "docs.jsonl"
    rows = zip(docs, vectors.tolist(), strict=True)
    path.write_text("".join(json.dumps({"id": d["id"], "vector": v}) + "\n" for d, v in rows))
    texts.write_text("".join(json.dumps(doc) + "\n" for doc in docs), encoding="utf-8")
    return path, texts, vectors


def read_back(name, place, table):
    """All documents of a store, by its own library: id to (vector, text, metadata)."""
    return READERS[name](place, table)


def _lancedb(place, table):
    import lancedb

    rows = lancedb.connect(place).open_table(table).to_arrow().to_pylist()
    return {r["id"]: (r["vector"], r["text"], json.loads(r["metadata"] or "{}")) for r in rows}


def _qdrant(place, table):
    from qdrant_client import QdrantClient

    client = QdrantClient(path=place)
    points, _ = client.scroll(table, limit=10_000, with_vectors=True)
    client.close()
    return {
        p.payload["id"]: (p.vector, p.payload.get("text"), p.payload.get("metadata", {}))
        for p in points
    }


def _pgvector(place, table):
    import psycopg

    with psycopg.connect(place) as connection:
        rows = connection.execute(
            f"SELECT id, vector::text, text, metadata FROM {table}"
        ).fetchall()
    return {key: (json.loads(v), text, metadata or {}) for key, v, text, metadata in rows}


def _sqlite(place, table):
    import apsw
    import sqlite_vec

    connection = apsw.Connection(place)
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    rows = connection.execute(f"SELECT id, vector, text, metadata FROM {table}").fetchall()
    connection.close()
    return {
        key: (np.frombuffer(v, np.float32), text, json.loads(m or "{}")) for key, v, text, m in rows
    }


def _duckdb(place, table):
    import duckdb

    with duckdb.connect(place) as connection:
        rows = connection.execute(f"SELECT id, vector, text, metadata FROM {table}").fetchall()
    return {key: (v, text, json.loads(m or "{}")) for key, v, text, m in rows}


def _beside(place):
    with open(f"{place}.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _faiss(place, table):
    import faiss

    index = faiss.read_index(place)
    docs = _beside(place)
    assert index.ntotal == len(docs)
    return {
        d["id"]: (index.reconstruct(i), d.get("text"), d.get("metadata", {}))
        for i, d in enumerate(docs)
    }


def _usearch(place, table):
    from usearch.index import Index

    index = Index.restore(place)
    return {
        d["id"]: (index[i].reshape(-1), d.get("text"), d.get("metadata", {}))
        for i, d in enumerate(_beside(place))
    }


def _elasticsearch(place, table):
    from pathlib import Path

    found = {}
    for path in sorted(Path(place).glob("part-*.ndjson")):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for action, doc in zip(lines[::2], lines[1::2], strict=True):
            assert action["create"] == {"_index": table, "_id": doc["id"]}
            vector = doc.get("vector", [0.0] * N_DIMS)
            found[doc["id"]] = (vector, doc.get("text"), doc.get("metadata", {}))
    return found


READERS = {
    "lancedb": _lancedb, "qdrant": _qdrant, "pgvector": _pgvector, "sqlite-vec": _sqlite,
    "duckdb": _duckdb, "faiss": _faiss, "usearch": _usearch, "elasticsearch-bulk": _elasticsearch,
}  # fmt: skip


def unit(rows):
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)


def test_everything_arrives(target, files, table):
    name, place = target
    path, texts, vectors = files
    report = export(path, name, place, table=table, texts=Joined([str(texts)]), batch=50)
    assert (report.n_written, report.n_known, report.n_checked) == (N_DOCS, 0, 64)
    assert report.lowest > 0.999
    found = read_back(name, place, table)
    assert len(found) == N_DOCS
    rows = np.array([found[f"d'{i}"][0] for i in range(N_DOCS)], dtype=np.float32)
    if name in ("faiss", "qdrant"):  # these keep unit vectors
        assert np.allclose(unit(rows), unit(vectors), atol=1e-5)
    else:
        assert np.allclose(rows, vectors, atol=1e-6)
    assert found["d'3"][1:] == ("text 3 ü", {"year": 2003})


def test_ids_that_are_there_are_refused_skipped_or_replaced(target, files, table):
    name, place = target
    path, _, vectors = files
    export(path, name, place, table=table)
    with pytest.raises(InputError, match="--replace"):
        export(path, name, place, table=table)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines))
    again = export(path, name, place, table=table, existing="skip", batch=64)
    expected = 0 if store_class(name).keeps_batches else N_DOCS
    assert again.n_written == expected
    # Other vectors under the same ids.
    rows = (-vectors).tolist()
    changed = [json.dumps({"id": f"d'{i}", "vector": row}) + "\n" for i, row in enumerate(rows)]
    path.write_text("".join(changed))
    if store_class(name).keeps_batches:
        with pytest.raises(ExportError, match="differs"):
            export(path, name, place, table=table, existing="skip")
    replaced = export(path, name, place, table=table, existing="replace")
    assert replaced.n_written == N_DOCS
    found = read_back(name, place, table)
    assert len(found) == N_DOCS
    assert np.allclose(unit(np.array([found["d'0"][0]])), -unit(vectors[:1]), atol=1e-5)


def test_an_interrupted_export_is_resumed(target, files, table, monkeypatch):
    name, place = target
    path, _, _ = files
    store = store_class(name)
    write, n_calls = store.write, []

    def failing(self, rows):
        n_calls.append(len(rows.ids))
        if len(n_calls) == 3:
            raise OSError(28, "No space left on device")
        write(self, rows)

    monkeypatch.setattr(store, "write", failing)
    with pytest.raises(ExportError, match="No space left") as raised:
        export(path, name, place, table=table, batch=50)
    assert ("--resume" in str(raised.value)) == store.keeps_batches
    monkeypatch.setattr(store, "write", write)
    report = export(path, name, place, table=table, batch=50, existing="skip")
    assert report.n_known == (100 if store.keeps_batches else 0)
    assert report.n_written + report.n_known == N_DOCS
    assert len(read_back(name, place, table)) == N_DOCS


@pytest.mark.parametrize(
    ("name", "n_dims"), [("elasticsearch-bulk", 4097), ("sqlite-vec", 8193), ("pgvector", 16_001)]
)
def test_too_many_dimensions_are_refused_before_anything_is_written(name, n_dims, tmp_path):
    if PACKAGES[name]:
        pytest.importorskip(PACKAGES[name])
    np.save(tmp_path / "v.npy", np.ones((2, n_dims), dtype=np.float32))
    with pytest.raises(InputError, match=r"at most .* --dims 512"):
        export(tmp_path / "v.npy", name, str(tmp_path / "store"))
    assert not (tmp_path / "store").exists()


def test_pgvector_types_by_size(postgres, tmp_path):
    import psycopg

    with psycopg.connect(postgres) as connection:
        query = "SELECT 1 FROM pg_type WHERE typname = 'halfvec'"
        has_halves = bool(connection.execute(query).fetchall())  # since pgvector 0.7
    middle = ("halfvec", "two bytes") if has_halves else ("vector", "scanned")
    sizes = ((2000, "vector", ""), (2001, *middle), (4001, "vector", "scanned"))
    for n_dims, kind, note in sizes:
        rng = np.random.default_rng(n_dims)
        np.save(tmp_path / "v.npy", rng.standard_normal((3, n_dims)).astype(np.float32))
        report = export(tmp_path / "v.npy", "pgvector", postgres, table=f"size_{n_dims}")
        assert note in " ".join(report.notes)
        with psycopg.connect(postgres) as connection:
            query = "SELECT udt_name FROM information_schema.columns WHERE table_name = %s"
            types = connection.execute(query, [f"size_{n_dims}"]).fetchall()
        assert (kind,) in types


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("pgvector", "postgresql://me:hush@127.0.0.1:9/db"),
        ("qdrant", "http://127.0.0.1:9"),
        ("sqlite-vec", "/nowhere/at/all.db"),
        ("duckdb", "/nowhere/at/all.db"),
    ],
)
def test_a_store_that_is_down(name, place, files):
    pytest.importorskip(PACKAGES[name], reason="make test-integrations installs it")
    with pytest.raises(ExportError) as raised:
        export(files[0], name, place)
    assert "hush" not in str(raised.value)


def test_a_store_that_lost_documents_is_told(files, tmp_path, monkeypatch):
    store = store_class("duckdb")
    monkeypatch.setattr(store, "count", lambda self: 3)
    with pytest.raises(ExportError, match="has 3 documents"):
        export(files[0], "duckdb", str(tmp_path / "a"), existing="replace")
    monkeypatch.undo()
    monkeypatch.setattr(store, "read", lambda self, ids: {})
    with pytest.raises(ExportError, match="does not have the document"):
        export(files[0], "duckdb", str(tmp_path / "b"))


def test_wrong_files(files, tmp_path):
    path, texts, _ = files
    lines = texts.read_text(encoding="utf-8").splitlines(keepends=True)
    texts.write_text("".join(lines[1:]), encoding="utf-8")
    with pytest.raises(InputError, match="no text has the id"):
        export(path, "duckdb", str(tmp_path / "a"), texts=Joined([str(texts)]))
    # Another order is no problem.
    texts.write_text("".join(lines[::-1]), encoding="utf-8")
    export(path, "duckdb", str(tmp_path / "b"), texts=Joined([str(texts)]))
    assert _duckdb(str(tmp_path / "b"), "documents")["d'9"][1] == "text 9 ü"
    path.write_text(path.read_text() + path.read_text().splitlines()[0] + "\n")
    with pytest.raises(InputError, match="two vectors have the id"):
        export(path, "duckdb", str(tmp_path / "c"))


def test_foreign_files_are_not_touched(files, tmp_path):
    for name in ("faiss", "elasticsearch-bulk"):
        if PACKAGES[name]:
            pytest.importorskip(PACKAGES[name])
        place = tmp_path / f"mine-{name}"
        place.write_text("precious") if name == "faiss" else place.mkdir()
        with pytest.raises(InputError, match="exists"):
            export(files[0], name, str(place), existing="replace")
        assert place.exists()


def test_a_foreign_mapping_or_working_folder_is_not_touched(files, tmp_path):
    place = tmp_path / "bulk"
    place.mkdir()
    (place / "mapping.json").write_text(json.dumps({"mappings": {"properties": {}}}))
    (place / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="exists"):
        export(files[0], "elasticsearch-bulk", str(place), existing="replace")
    assert (place / "thesis.tex").read_text() == "years of work"
    working = tmp_path / "other.part"
    working.mkdir()
    (working / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="did not write"):
        export(files[0], "elasticsearch-bulk", str(tmp_path / "other"))
    assert (working / "thesis.tex").read_text() == "years of work"


def test_an_export_does_not_go_on_with_another(files, tmp_path, monkeypatch):
    pytest.importorskip("duckdb", reason="make test-integrations installs it")
    path, place = files[0], str(tmp_path / "store")
    store = store_class("duckdb")
    write, rows_written = store.write, []

    def failing(self, rows):
        if rows_written:
            raise OSError(28, "No space left on device")
        rows_written.append(len(rows.ids))
        write(self, rows)

    monkeypatch.setattr(store, "write", failing)
    with pytest.raises(ExportError, match="No space left"):
        export(path, "duckdb", place, batch=50)
    monkeypatch.setattr(store, "write", write)
    with pytest.raises(InputError, match="interrupted export"):
        export(path, "duckdb", place)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:60]))
    with pytest.raises(InputError, match="other vectors"):
        export(path, "duckdb", place, existing="skip")
    assert export(path, "duckdb", place, existing="replace").n_written == 60
    assert len(read_back("duckdb", place, "documents")) == 60


def test_parts_for_elasticsearch_are_small(files, tmp_path, monkeypatch):
    from psif.integrations.stores import elasticsearch

    monkeypatch.setattr(elasticsearch, "_PART_BYTES", 20_000)
    place = tmp_path / "bulk"
    export(files[0], "elasticsearch-bulk", str(place))
    parts = sorted(place.glob("part-*.ndjson"))
    assert len(parts) > 2
    assert max(part.stat().st_size for part in parts) <= 20_000
    mapping = json.loads((place / "mapping.json").read_text())["mappings"]["properties"]
    assert mapping["vector"]["dims"] == N_DIMS
    assert "vector" not in json.loads(parts[0].read_text().splitlines()[15])  # the zero vector


def test_a_sample_is_uniform():
    sample = module._Sample()
    ids = [str(i) for i in range(10_000)]
    sample.see(ids, np.ones((10_000, 1), dtype=np.float32))
    places = [int(key) for key, _ in sample.rows.values()]
    assert len(set(places)) == 64
    assert 3_000 < np.mean(places) < 7_000


def test_addresses_are_shown_without_passwords():
    assert hidden("postgresql://me:hush@host/db") == "postgresql://me@host/db"
    assert hidden("/some/path") == "/some/path"


def test_the_command(run, files, tmp_path):  # noqa: F811
    path, texts, _ = files
    result = run("export", path, "--to", "duckdb", "-o", "v.duckdb", "--texts", texts)
    assert "230 vectors written; 64 read back, lowest cosine 1.0000" in result.stderr
    result = run("export", path, "--to", "duckdb", "-o", "v.duckdb", code=1)
    assert "--resume" in result.stderr
    run("export", path, "--to", "duckdb", "-o", "v.duckdb", "--resume")
    run("export", path, "--to", "duckdb", "-o", "v.duckdb", "--resume", "--replace", code=2)
    run("export", "none.npy", "--to", "duckdb", "-o", "x", code=1)


def test_the_command_knows_all_stores():
    from psif.cli.commands import export as command

    assert set(command.STORES) == set(STORES)
    with pytest.raises(InputError, match="no store"):
        store_class("excel")


@pytest.mark.parametrize("name", ["texts.jsonl", "table.parquet", "empty"])
def test_duckdb_takes_no_other_file(files, tmp_path, name):
    """It opens files of documents as tables in memory: nothing would be written."""
    pytest.importorskip("duckdb")
    other = tmp_path / name
    other.write_bytes(files[0].read_bytes() if name.endswith("parquet") else b'{"a": 1}\n')
    if name == "empty":
        other.write_bytes(b"")
    before = other.read_bytes()
    with pytest.raises(InputError, match="is no DuckDB database; give another file"):
        export(files[0], "duckdb", str(other))
    assert other.read_bytes() == before
