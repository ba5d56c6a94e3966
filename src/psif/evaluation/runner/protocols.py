"""The rules under which a score is made. A score without its protocol says little.

inductive (also called "honest", its former name)
    One fixed setting for all classification tasks, one for retrieval and clustering, and one for
    all similarity tasks. Vectors, frequencies, topics and components come from training documents
    only. The loss of the linear classifier and C are chosen by accuracy on training documents.
paper
    What the paper says: its settings, its word vectors where they can be trained, a linear SVM
    with C chosen by F1, and everything learned from training and test documents together (without
    labels), per sub-task for similarity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from psif.baselines import METHODS
from psif.classify.rules import BY_ACCURACY, BY_F1, ClassifierRules
from psif.errors import InputError
from psif.evaluation.data.folders import MissingDataError, data_file
from psif.model.known_words import OPTIONS_OF_WORDS
from psif.model.presets import preset
from psif.runtime.suggestions import unknown_name

CLASSIFICATION, NEIGHBOURS, SIMILARITY = "classification", "neighbours", "similarity"
_PSIF = ("psif", "psif-gmm")
_HYBRID = "psif-hybrid"
_CLASSIFIER = "psif-classifier"
# Features of documents on a scale that suits a regularised classifier.
_SCALED: dict[str, dict[str, Any]] = {"p-means": {"unit_means": True}, "wme": {"center": True}}
# Doc2VecC as the authors of P-SIF train it, by their released script.
_DOC2VECC = {
    "dim": 200,
    "min_count": 5,
    "train_options": {
        "window": 10, "side": "left", "negative": 5, "sample": 0.0, "document_sample": 0.1,
        "epochs": 100, "alpha": 0.05,
    },
}  # fmt: skip
# Evaluation sets come sorted by class, and SGNS forgets what it read first.
_SGNS = {**preset("paper"), "train_options": {**preset("paper")["train_options"], "shuffle": True}}
# Folds of 5,000 documents choose the same C as all of 11,314 or a neighbour, in an eighth of the
# time, and dozens of methods are compared.
_MOST_DOCS = 5_000


@dataclass(frozen=True)
class Protocol:
    """Rules and settings.

    Attributes
    ----------
    name : str
    transductive : bool
        Whether methods also learn from the texts of test documents.
    shared : mapping
        By group of tasks: settings of every method that has a setting of that name. All methods
        get the same tokens.
    psif : mapping
        By group of tasks: further settings of P-SIF. Retrieval and clustering use those of
        classification where they have none of their own.
    hybrid : mapping
        By group of tasks: the same for P-SIF with columns of exact words, where there is such.
    methods : mapping
        By method: its own settings for documents, where the published ones are known.
    classifier : ClassifierRules
        How the linear classifier of documents is chosen.
    """

    name: str
    transductive: bool
    shared: Mapping[str, Mapping[str, Any]]
    psif: Mapping[str, Mapping[str, Any]]
    hybrid: Mapping[str, Mapping[str, Any]]
    methods: Mapping[str, Mapping[str, Any]]
    classifier: ClassifierRules


def _without(settings: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if key not in names}


PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(
    {
        "inductive": Protocol(
            "inductive",
            transductive=False,
            shared={
                CLASSIFICATION: {"tokenizer": "paper", "word_norm": "unit"},
                SIMILARITY: {"tokenizer": "unicode", "word_norm": "unit"},
            },
            psif={
                CLASSIFICATION: _without(preset("classification"), "tokenizer", "word_columns"),
                NEIGHBOURS: _without(preset("retrieval"), "tokenizer"),
                SIMILARITY: preset("similarity"),
            },
            hybrid={
                CLASSIFICATION: _without(preset("classification"), "tokenizer"),
                # What the preset "compact" is made of.
                NEIGHBOURS: _without(preset("compact"), "tokenizer", "n_dims"),
            },
            methods=_SCALED,
            classifier=replace(BY_ACCURACY, most_docs=_MOST_DOCS),
        ),
        "paper": Protocol(
            "paper",
            transductive=True,
            shared={
                # "Experimental Details": SGNS, window 10, 10 negatives, minimum frequency 20.
                CLASSIFICATION: {
                    name: _SGNS[name]
                    for name in ("vectors", "dim", "train_options", "min_count", "tokenizer")
                },
                SIMILARITY: {"tokenizer": "unicode", "word_norm": "none"},
            },
            psif={
                CLASSIFICATION: _SGNS,
                # K by reconstruction loss; the mixture where documents are single sentences.
                SIMILARITY: {
                    **_without(
                        preset("paper"),
                        "vectors", "dim", "train_options", "min_count", "tokenizer",
                    ),
                    "n_topics": "auto",
                    "partition": "auto",
                },
            },
            hybrid={},
            methods={
                **_SCALED,
                "doc2vecc": _DOC2VECC,
                # Their script weighs words by idf alone and takes the vectors as they are.
                "psif-doc2vecc": {**_DOC2VECC, "weighting": "idf", "word_norm": "none"},
            },
            classifier=replace(BY_F1, most_docs=_MOST_DOCS),
        ),
    }
)  # fmt: skip


# Former names, which are still understood.
ALIASES: Mapping[str, str] = MappingProxyType({"honest": "inductive"})


def find_protocol(name: str) -> Protocol:
    """Return the protocol of this name, or of this former name."""
    name = ALIASES.get(name, name)
    if name not in PROTOCOLS:
        raise unknown_name("protocol", name, [*PROTOCOLS, *ALIASES])
    return PROTOCOLS[name]


def method_settings(
    method: str, protocol: Protocol, group: str, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the settings of a method: the protocol's, then those that the user gives.

    Options that a method has no setting for are refused by the method itself.
    """
    if method not in METHODS:
        raise unknown_name("method", method, list(METHODS))
    if method == _CLASSIFIER:
        # What is evaluated is what users get: its own defaults, chosen on training documents.
        if group != CLASSIFICATION or protocol.transductive:
            raise InputError(
                f"{method} labels documents under the protocol inductive, not {group} under "
                f"{protocol.name}. Use psif."
            )
        return dict(options)
    known = set(METHODS[method].options())
    documents = CLASSIFICATION if group == NEIGHBOURS else group
    settings = {k: v for k, v in protocol.shared[documents].items() if k in known}
    if method == _HYBRID:
        if group not in protocol.hybrid:
            raise InputError(
                f"{method} has no settings for {group} under the protocol {protocol.name}; it is "
                "for documents under the protocol inductive. Use psif."
            )
        settings |= protocol.hybrid[group]
    if method in _PSIF:
        settings |= protocol.psif.get(group, protocol.psif[documents])
        if method == "psif-gmm":
            settings["partition"] = "gmm"
    if not METHODS[method].needs_word_vectors:
        settings = _without(settings, "vectors", "train_options", "dim", "min_count")
    if group != SIMILARITY:
        settings |= protocol.methods.get(method, {})
    if group == SIMILARITY and "frequencies" in known:
        # Sentences are too few to count words in: both protocols take counts of a large corpus.
        settings["frequencies"] = _large_corpus()
    given = options.get("vectors")
    if given is not None and given != settings.get("vectors", "ppmi"):
        # The protocol's options are those of its own trainer.
        words = {
            name: value
            for name, value in (settings.pop("train_options", None) or {}).items()
            if name in OPTIONS_OF_WORDS
        }
        if isinstance(given, str) and words:
            settings["train_options"] = words
        elif not isinstance(given, str):
            # A given table has its own dimension and words.
            settings = _without(settings, "dim", "min_count")
    settings.update(options)
    return settings


def _large_corpus() -> str:
    try:
        return str(data_file("frequencies/enwiki_vocab_min200.txt.gz"))
    except MissingDataError:
        return "corpus"
