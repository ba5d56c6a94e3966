"""The stores by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from psif.errors import InputError, MissingExtraError
from psif.integrations.stores.base import Store, Target


@dataclass(frozen=True)
class Entry:
    """A store: its class, the package that it needs, and what OUT is."""

    module: str
    kind: str
    package: str | None
    place: str


STORES = {
    "lancedb": Entry("lancedb", "LanceStore", "lancedb", "a folder or an address"),
    "qdrant": Entry("qdrant", "QdrantStore", "qdrant_client", "a folder or an address"),
    "pgvector": Entry("pgvector", "PostgresStore", "psycopg", "postgresql://USER@HOST/DATABASE"),
    "sqlite-vec": Entry("sqlite_vec", "SqliteStore", "sqlite_vec", "a file"),
    "duckdb": Entry("duckdb", "DuckStore", "duckdb", "a file"),
    "faiss": Entry("faiss", "FaissStore", "faiss", "a file"),
    "usearch": Entry("usearch", "UsearchStore", "usearch", "a file"),
    "elasticsearch-bulk": Entry("elasticsearch", "ElasticsearchStore", None, "a new folder"),
}


def store_class(name: str) -> Callable[[Target], Store]:
    """Return the class of a store, if its package is installed."""
    if name not in STORES:
        raise InputError(f"no store {name!r}; there are {', '.join(STORES)}.")
    entry = STORES[name]
    if entry.package is not None:
        try:
            import_module(entry.package)
        except ImportError as error:
            raise MissingExtraError(entry.package, name, f"psif export --to {name}") from error
    module = import_module(f"psif.integrations.stores.{entry.module}")
    return cast(Callable[[Target], Store], getattr(module, entry.kind))
