"""P-SIF and the methods that a user could choose instead, behind one interface."""

from __future__ import annotations

from importlib import import_module

from benchmarks.peers.base import Peer
from psif.errors import InputError

# Name to where it is written; a peer's own packages are imported only when it is used.
_PLACES = {
    "psif": "psif_presets:Psif",
    "psif-classification": "psif_presets:PsifClassification",
    "psif-compact": "psif_presets:PsifCompact",
    "psif-words": "psif_presets:PsifWords",
    "tfidf": "tfidf:Tfidf",
    "tfidf-svd": "tfidf_svd:TfidfSvd",
    "doc2vec": "doc2vec:Doc2Vec",
    "sgns-average": "sgns_average:SgnsAverage",
    "numpy-reference": "numpy_reference:NumpyReference",
    "model2vec": "model2vec:Model2Vec",
    "wordllama": "wordllama:WordLlama",
    "minilm": "minilm:MiniLM",
}
NAMES = tuple(_PLACES)


def peer_class(name: str) -> type[Peer]:
    """Return the peer called ``name``."""
    if name not in _PLACES:
        raise InputError(f"no peer is called {name!r}; there are {', '.join(NAMES)}.")
    module, _, attribute = _PLACES[name].partition(":")
    found: type[Peer] = getattr(import_module(f"benchmarks.peers.{module}"), attribute)
    return found
