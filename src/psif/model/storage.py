"""Convert a fitted model to the content of a model folder and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from psif.documents.averaging import WordTopics
from psif.documents.word_columns import WordColumns
from psif.errors import FormatError
from psif.explain.topic_words import TopicWords, topic_words_of_codes
from psif.model.card import model_card
from psif.model.folder import SavedModel, read_model, write_model
from psif.model.packing import pack, unpack
from psif.model.ready import ready_model
from psif.model.retired_settings import current_settings
from psif.model.settings import check_settings, setting_names
from psif.partitions.shaping import n_shared
from psif.text.tokenizer import Tokenizer
from psif.text.vocabulary import Vocabulary
from psif.vectors.ready import is_ready
from psif.vectors.table import WordVectors
from psif.version import __version__

if TYPE_CHECKING:
    from psif.model.embedder import Embedder

M = TypeVar("M", bound="Embedder")

_LARGEST_NUMBER = 1e18
_WHOLE = ("counts", "doc_counts", "topic_words")
# What the topics are about. Models of versions before 0.2 have none of these arrays.
_NAMING = ("topic_words", "topic_scores", "topic_means")
# Stands for a parameter whose value was an object; load() rebuilds it from the saved arrays.
_OBJECT = {"object": True}


def save(model: Embedder, folder: str | Path, *, notes: str = "", dtype: str = "float32") -> str:
    """Write a fitted model to a folder and return the checksum that identifies it.

    ``notes`` are Markdown text for the end of its card, ``dtype`` is that of word vectors and
    codes in the file; see :mod:`psif.model.packing`.
    """
    config = {
        "psif_version": __version__,
        "n_topics": model.n_topics_,
        "partition": model.partition_,
        "dim": model.words_.dim,
        "n_features_out": model.n_features_out_,
        "losses": model.losses_,
        "vectors": model.vectors_,
        "word_columns": _word_columns_config(model.word_columns_),
        "params": _plain_params(model),
        "tokenizer": model.tokenizer_.to_dict(),
        "corpus": {
            "n_docs": model.n_docs_,
            "n_tokens": model.n_tokens_,
            "n_words": model.vocabulary_.n_known,
            "n_buckets": model.vocabulary_.n_buckets,
            "n_empty": model.n_empty_,
            "coverage": model.coverage_,
        },
    }
    arrays: dict[str, np.ndarray] = {
        "weights": model.words_.weights,
        "codes": model.words_.codes,
        "vectors": model.words_.vectors,
        "atoms": model.atoms_,
        "components": model.components_,
        "counts": model.vocabulary_.counts,
        "doc_counts": model.vocabulary_.doc_counts,
    }
    if model.table_ is model.words_.vectors:
        config["table"] = "vectors"
    elif model.table_ is not None:
        arrays["table"] = model.table_
    arrays["topic_words"] = model.topic_words_.ids
    arrays["topic_scores"] = model.topic_words_.scores
    arrays["topic_means"] = model.topic_words_.means
    card = model_card(config, model.topics(n_words=8)) + notes
    packed = pack(arrays, dtype)
    model.checksum_ = write_model(folder, config, packed, model.vocabulary_.words, card)
    return model.checksum_


def load(kind: type[M], folder: str | Path, *, mapped: bool = False) -> M:
    """Read a model folder, or a model inside the package, as an instance of ``kind``."""
    if is_ready(folder):
        return ready_model(kind, str(folder))
    saved = read_model(folder, mapped=mapped)
    saved = replace(saved, arrays=unpack(saved.arrays))
    _check_arrays(saved, Path(folder))
    try:
        return _rebuild(kind, saved)
    except (
        ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError,
        ValueError, re.error,
    ) as error:  # fmt: skip
        raise FormatError(f"{folder}: the model's config cannot be used ({error}).") from error


def _rebuild(kind: type[M], saved: SavedModel) -> M:
    config, arrays, corpus = saved.config, saved.arrays, saved.config["corpus"]
    params = current_settings(config["params"])
    # Models of earlier versions have none.
    n_buckets = int(corpus.get("n_buckets", 0))
    if not 0 <= n_buckets <= len(saved.words):
        raise FormatError(f"{n_buckets} buckets among {len(saved.words)} words.")
    unknown = sorted(set(params) - set(setting_names(kind)))
    if unknown:
        raise FormatError(f"unknown settings {', '.join(unknown)}.")
    tokenizer = Tokenizer.from_dict(config["tokenizer"])
    if params.get("tokenizer") == _OBJECT:
        params["tokenizer"] = tokenizer
    if params.get("vectors") == _OBJECT:
        n_words = len(saved.words) - n_buckets
        params["vectors"] = WordVectors(saved.words[:n_words], arrays["vectors"][:n_words])
    if params.get("frequencies") == _OBJECT:
        params["frequencies"] = "corpus"
    model = kind(**params)
    check_settings(model.settings)
    model.vocabulary_ = Vocabulary(
        saved.words, arrays["counts"], arrays["doc_counts"], int(corpus["n_docs"]), n_buckets
    )
    model.tokenizer_ = tokenizer
    model.words_ = WordTopics(
        arrays["weights"],
        arrays["codes"],
        arrays["vectors"],
        str(params["counts"]),
        n_shared(params["shared_topic"], int(config["n_topics"])),
    )
    model.atoms_, model.components_ = arrays["atoms"], arrays["components"]
    # Where documents are sums of word vectors, these are kept once.
    shared = config.get("table") == "vectors"
    model.table_ = arrays["vectors"] if shared else arrays.get("table")
    # Models of earlier versions do not say.
    model.vectors_ = str(config.get("vectors", "given"))
    model.topic_words_ = _topic_words(arrays, model)
    model.word_columns_ = _word_columns(config.get("word_columns", config.get("own_words")), model)
    model.n_topics_, model.partition_ = int(config["n_topics"]), str(config["partition"])
    model.checksum_ = saved.checksum
    model.losses_ = [float(loss) for loss in config["losses"]]
    model.n_docs_, model.n_tokens_ = int(corpus["n_docs"]), int(corpus["n_tokens"])
    model.coverage_, model.n_empty_ = float(corpus["coverage"]), int(corpus["n_empty"])
    return model


def _word_columns_config(word_columns: WordColumns | None) -> dict[str, Any] | None:
    """Return what is needed to find the word columns again from the document counts."""
    if word_columns is None:
        return None
    return {
        "share": word_columns.share,
        "n_columns": word_columns.n_columns,
        "first": word_columns.first,
    }


def _word_columns(config: Mapping[str, Any] | None, model: Embedder) -> WordColumns | None:
    if config is None:
        return None
    share, n_columns, first = float(config["share"]), int(config["n_columns"]), int(config["first"])
    width = model.words_.n_features if model.table_ is None else int(model.table_.shape[1])
    word_columns = WordColumns.choose(model.vocabulary_, share, n_columns, first)
    # The loops that write these columns do not check their positions.
    fits = first == width if model.table_ is None else 0 < first < width
    if not 0 < share < 1 or word_columns.n_columns != n_columns or not fits:
        raise FormatError("the columns of words do not fit the model.")
    return word_columns


def _topic_words(arrays: Mapping[str, np.ndarray], model: Embedder) -> TopicWords:
    if "topic_words" in arrays:
        return TopicWords(arrays["topic_words"], arrays["topic_scores"], arrays["topic_means"])
    known = model.vocabulary_
    return topic_words_of_codes(model.words_, known.words, known.counts)


def _check_naming(arrays: Mapping[str, np.ndarray], n_words: int, folder: Path) -> None:
    """Check that what the topics are about is complete and names words of the model."""
    found = [name for name in _NAMING if name in arrays]
    if not found:
        return
    n_topics = arrays["codes"].shape[1]
    fits = (
        len(found) == len(_NAMING)
        and arrays["topic_words"].ndim == 2
        and arrays["topic_words"].shape == arrays["topic_scores"].shape
        and len(arrays["topic_words"]) == n_topics
        and arrays["topic_means"].shape == (n_topics,)
        and arrays["topic_words"].max(initial=-1) < n_words
    )
    if not fits:
        raise FormatError(f"{folder}: the words of the topics do not fit the model.")


def _plain_params(model: Embedder) -> dict[str, Any]:
    """Return parameters as JSON; a mark replaces an object (vectors, mapping, tokenizer)."""
    plain: dict[str, Any] = {}
    for name, value in model.settings.items():
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, Path):
            value = str(value)
        if name == "random_state" and not isinstance(value, int | None):
            value = None  # the state of a generator has changed; the fitted arrays matter
        is_plain = value is None or isinstance(value, str | int | float | bool)
        if name == "train_options" and isinstance(value, Mapping):
            value, is_plain = dict(value), True
        plain[name] = value if is_plain else _OBJECT
    return plain


def _check_range(array: np.ndarray, place: str) -> None:
    """Refuse numbers that no fit makes: their products would not be finite."""
    # -1 stands for no word.
    if array.dtype.kind == "i" and array.min(initial=0) < (-1 if "topic_words" in place else 0):
        raise FormatError(f"{place} holds negative counts.")
    if array.dtype.kind == "f" and np.abs(array).max(initial=0) > _LARGEST_NUMBER:
        raise FormatError(f"{place} holds numbers beyond {_LARGEST_NUMBER:g}.")


def _check_arrays(saved: SavedModel, folder: Path) -> None:
    """Check that shapes and types fit one another: compiled loops do not check indices."""
    arrays = saved.arrays
    required = {"weights", "codes", "vectors", "atoms", "components", "counts", "doc_counts"}
    if not required <= set(arrays) <= required | {"table", *_NAMING}:
        raise FormatError(
            f"{folder}: expected the arrays {sorted(required)}, found {sorted(arrays)}."
        )
    n_words = len(saved.words)
    n_topics, dim = saved.config.get("n_topics"), saved.config.get("dim")
    shapes: dict[str, tuple[Any, ...]] = {
        "weights": (n_words,),
        "codes": (n_words, n_topics),
        "vectors": (n_words, dim),
        "atoms": (n_topics, dim),
        "counts": (n_words,),
        "doc_counts": (n_words,),
    }
    for name, array in arrays.items():
        expected = np.dtype(np.int64 if name in _WHOLE else np.float32)
        if array.dtype != expected or array.shape != shapes.get(name, array.shape):
            raise FormatError(
                f"{folder}: '{name}' is {array.dtype} {array.shape}, "
                f"expected {expected} {shapes.get(name, array.shape)}."
            )
    for name, array in arrays.items():
        _check_range(array, f"{folder}: '{name}'")
    _check_naming(arrays, n_words, folder)
    width = arrays["codes"].shape[1] * arrays["vectors"].shape[1]
    if arrays["components"].ndim != 2 or arrays["components"].shape[1] != width:
        raise FormatError(f"{folder}: 'components' does not have {width} columns.")
    if "table" in arrays and (arrays["table"].ndim != 2 or len(arrays["table"]) != n_words):
        raise FormatError(f"{folder}: 'table' does not have {n_words} rows.")
