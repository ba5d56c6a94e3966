"""Document embeddings by partition averaging (P-SIF).

Names are loaded on first use, so that ``import psif`` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from psif.errors import FormatError, InputError, MissingExtraError, PsifError, PsifWarning
from psif.version import __version__

if TYPE_CHECKING:
    from psif.classify.estimator import PSIFClassifier
    from psif.explain import kernels
    from psif.group.clusters.groups import Groups
    from psif.group.duplicates.finding import find_duplicates
    from psif.model.batches import embed_batch
    from psif.model.embedder import Embedder
    from psif.model.estimator import PSIF
    from psif.model.loading import load
    from psif.search.index import Index
    from psif.text.tokenizer import Tokenizer
    from psif.vectors.table import WordVectors

__all__ = [
    "PSIF",
    "Embedder",
    "FormatError",
    "Groups",
    "Index",
    "InputError",
    "MissingExtraError",
    "PSIFClassifier",
    "PsifError",
    "PsifWarning",
    "Tokenizer",
    "WordVectors",
    "__version__",
    "embed_batch",
    "find_duplicates",
    "kernels",
    "load",
]

_LAZY = {
    "PSIF": ("psif.model.estimator", "PSIF"),
    "PSIFClassifier": ("psif.classify.estimator", "PSIFClassifier"),
    "Embedder": ("psif.model.embedder", "Embedder"),
    "Groups": ("psif.group.clusters.groups", "Groups"),
    "Index": ("psif.search.index", "Index"),
    "Tokenizer": ("psif.text.tokenizer", "Tokenizer"),
    "embed_batch": ("psif.model.batches", "embed_batch"),
    "find_duplicates": ("psif.group.duplicates.finding", "find_duplicates"),
    "load": ("psif.model.loading", "load"),
    "WordVectors": ("psif.vectors.table", "WordVectors"),
    "kernels": ("psif.explain.kernels", None),
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'psif' has no attribute {name!r}")
    module_name, attribute = _LAZY[name]
    module = import_module(module_name)
    return module if attribute is None else getattr(module, attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
