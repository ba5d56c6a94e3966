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
    from psif.model.batches import embed_batch
    from psif.model.embedder import Embedder
    from psif.model.estimator import PSIF
    from psif.search.index import Index
    from psif.text.tokenizer import Tokenizer
    from psif.vectors.table import WordVectors

__all__ = [
    "PSIF",
    "Embedder",
    "FormatError",
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
    "kernels",
]

_LAZY = {
    "PSIF": ("psif.model.estimator", "PSIF"),
    "PSIFClassifier": ("psif.classify.estimator", "PSIFClassifier"),
    "Embedder": ("psif.model.embedder", "Embedder"),
    "Index": ("psif.search.index", "Index"),
    "Tokenizer": ("psif.text.tokenizer", "Tokenizer"),
    "embed_batch": ("psif.model.batches", "embed_batch"),
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
