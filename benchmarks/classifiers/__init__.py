"""Classifiers of raw texts that psif is measured beside, one per file."""

from __future__ import annotations

from importlib import import_module

from benchmarks.classifiers.base import LabelPeer

_PLACES = {
    "psif": "psif_classifier:PsifClassifier",
    "tfidf-svc": "tfidf_svc:TfidfSvc",
    "fasttext": "fasttext:FastText",
    "model2vec": "model2vec:Model2VecLogistic",
    "vowpal-wabbit": "vowpal_wabbit:VowpalWabbit",
}
NAMES = tuple(_PLACES)


def label_peer(name: str) -> type[LabelPeer]:
    """Return the class of a peer."""
    module, _, attribute = _PLACES[name].partition(":")
    found: type[LabelPeer] = getattr(import_module(f"benchmarks.classifiers.{module}"), attribute)
    return found
