"""What the server serves: models, indexes and classifiers by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from psif.errors import FormatError, InputError
from psif.runtime.suggestions import nearest_name
from psif.serve.batching import Vectors

if TYPE_CHECKING:
    from psif.classify.estimator import PSIFClassifier
    from psif.model.embedder import Embedder
    from psif.search.index import Index

# What can be a name in requests and on a command line.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}")


@dataclass(frozen=True)
class Served:
    """Something with a name.

    Attributes
    ----------
    name : str
    kind : {"model", "index", "classifier"}
    embed : callable or None
        From texts to vectors and numbers of words; None in an index of words alone.
    n_dims : int
        Numbers per vector.
    shorter : bool
        Whether the first numbers of a vector are a good shorter vector.
    model : Embedder or None
        Compares texts.
    index : Index or None
    classifier : PSIFClassifier or None
    """

    name: str
    kind: str
    embed: Callable[[list[str]], Vectors] | None = None
    n_dims: int = 0
    shorter: bool = False
    model: Embedder | None = None
    index: Index | None = None
    classifier: PSIFClassifier | None = None


def open_served(argument: str) -> Served:
    """Open ``NAME=FOLDER`` or ``FOLDER``, whose name is then the folder's."""
    name, path = split_name(argument)
    kind = _kind(path)
    if kind == "index":
        from psif.search.index import Index

        index = Index.load(path)
        index.search_many([], 1)  # opened now, not by the first request
        return of_model(name, index.model, kind=kind, index=index)
    if kind == "classifier":
        from psif.classify.estimator import PSIFClassifier

        classifier = PSIFClassifier.load(path)
        return of_model(name, classifier.model_, kind=kind, classifier=classifier)
    from psif.model.embedder import Embedder

    return of_model(name, Embedder.load(path), kind=kind)


def of_model(name: str, model: Embedder | None, *, kind: str = "model", **others: Any) -> Served:
    """Serve a model under a name."""
    if model is None:
        return Served(name, kind, **others)

    def embed(texts: list[str]) -> Vectors:
        return embed_texts(model, texts)

    model.vocabulary_.prepare(model.tokenizer_)
    embed(["warm up the compiled loops"])
    return Served(
        name, kind, embed, model.n_features_out_, has_shorter_vectors(model), model, **others
    )


def embed_texts(model: Embedder, texts: list[str]) -> Vectors:
    """Return vectors and numbers of words; a text without a known word is zero, without warning.

    (Warnings belong to the process, not to a request, and could name words of a text.)
    """
    docs = model.word_ids(texts)
    known = docs.lengths > 0
    if known.all():
        return model.average(docs), docs.n_tokens
    vectors = np.zeros((len(docs), model.n_features_out_), dtype=np.float32)
    if known.any():
        vectors[known] = model.average(docs.take(np.flatnonzero(known)))
    return vectors, docs.n_tokens


def has_shorter_vectors(model: Embedder) -> bool:
    """Whether the first numbers of a vector are its best few.

    Principal directions come in falling order; but where words have columns of their own, those
    of the topics come before them all.
    """
    plain = model.unknown == "skip" and model.word_columns_ is None
    return model.table_ is not None and plain


def split_name(argument: str) -> tuple[str, Path]:
    """Split ``NAME=FOLDER``; without a name it is the folder's."""
    name, equals, path = argument.partition("=")
    if not equals:
        path, name = argument, Path(argument).resolve().name
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot be the name of a model; use letters, digits and . _ - / : "
            f"as in news={path}"
        )
    return name, Path(path)


def _kind(path: Path) -> str:
    from psif.classify.marker import is_classifier
    from psif.search.manifest import MANIFEST

    if not path.is_dir():
        what = "is a file" if path.exists() else "does not exist"
        raise InputError(f"{path} {what}; give the folder of a model, an index or a classifier.")
    if (path / MANIFEST).is_file():
        return "index"
    if is_classifier(path):
        return "classifier"
    if not (path / "config.json").is_file():
        raise FormatError(f"{path} is not a model, an index or a classifier that psif saved.")
    return "model"


def by_name(served: list[Served]) -> dict[str, Served]:
    """Return what is served by name; no name may be there twice."""
    found: dict[str, Served] = {}
    for one in served:
        if one.name in found:
            raise InputError(f"two models have the name {one.name!r}; write NAME=FOLDER.")
        found[one.name] = one
    return found


def unknown_name(name: str, known: list[str]) -> str:
    """Say that a name is unknown, and which there are."""
    near = nearest_name(name[:200], known)
    hint = f" Did you mean {near!r}?" if near else f" Served: {', '.join(known)}."
    return f"the model does not exist.{hint}"
