"""Similarity, explanations, search and classification: one request, one answer, in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np

from psif.classify.estimator import PSIFClassifier
from psif.errors import PsifError
from psif.model.embedder import Embedder
from psif.search.index import Index
from psif.search.scoring import LEXICAL
from psif.serve.failures import RequestError, busy, invalid
from psif.serve.fields import flag_of, number_of, text_of, texts_of
from psif.serve.limits import Limits
from psif.serve.served import Served

Content = dict[str, Any]
_MOST_HITS = 1_000
_MOST_SCORES = 1 << 20


class Threads:
    """Run questions in threads; a limited number of them wait."""

    def __init__(self, executor: Executor, most: int) -> None:
        self._executor, self._most = executor, most
        self._waiting = 0

    async def run(self, question: Callable[[], Content]) -> Content:
        """Return the answer; errors of psif are the client's."""
        if self._waiting >= self._most:
            raise busy()
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._executor, question)
        except PsifError as error:
            raise invalid(str(error)) from error
        finally:
            self._waiting -= 1


def similarity(served: Served, body: Content, limits: Limits) -> Callable[[], Content]:
    """Cosines of texts: ``texts_a``, ``texts_b`` and, for pairs, ``paired``."""
    model: Embedder = _part(served.model, served, "compare texts")
    a, b = (texts_of(body, name, limits) for name in ("texts_a", "texts_b"))
    paired = flag_of(body, "paired")
    if paired and len(a) != len(b):
        raise invalid(f"paired texts: 'texts_a' has {len(a)}, 'texts_b' has {len(b)}.", "texts_b")
    if not paired and len(a) * len(b) > _MOST_SCORES:
        raise RequestError(413, "more than a million scores in one answer.", "too_many_texts")

    def answer() -> Content:
        scores = model.similarity(a, b, paired=paired)
        return {"object": "similarity", "model": served.name, "scores": np.asarray(scores)}

    return answer


def explain(served: Served, body: Content, limits: Limits) -> Callable[[], Content]:
    """Split a score: of two texts, of a hit of an index, or of a label of a classifier."""
    if served.index is not None:
        index, query, hit = served.index, text_of(body, "query", limits), _hit_id(body)
        lexical = _lexical(body)
        if hit not in index:
            raise RequestError(404, "no document of the index has this id.", "not_found", "id")

        def parts() -> Content:
            return index.explain(query, hit, lexical=lexical).to_dict()
    elif served.classifier is not None:
        classifier, text = served.classifier, text_of(body, "text", limits)
        label, against = _label(body, "label", classifier), _label(body, "against", classifier)

        def parts() -> Content:
            return classifier.explain(text, label, against).to_dict()
    else:
        model: Embedder = _part(served.model, served, "explain a similarity")
        a, b = text_of(body, "text_a", limits), text_of(body, "text_b", limits)

        def parts() -> Content:
            return model.explain(a, b).to_dict()

    return lambda: {"object": "explanation", "model": served.name, **parts()}


def search(served: Served, body: Content, limits: Limits) -> Callable[[], Content]:
    """Hits of a query: ``query``, ``k``, ``where`` and ``lexical``."""
    index: Index = _part(served.index, served, "search; serve the folder of an index")
    query = text_of(body, "query", limits)
    k = number_of(body, "k", 10, 1, _MOST_HITS) or 10
    where = text_of(body, "where") if body.get("where") is not None else None
    lexical = _lexical(body)

    def answer() -> Content:
        hits = index.search(query, k, where, lexical=lexical)
        return {
            "object": "list",
            "model": served.name,
            "data": [{"object": "hit", **hit.to_dict()} for hit in hits],
        }

    return answer


def classify(served: Served, body: Content, limits: Limits) -> Callable[[], Content]:
    """Labels of texts with their probabilities: ``input`` and ``top``."""
    classifier: PSIFClassifier = _part(
        served.classifier, served, "classify; serve the folder of a classifier"
    )
    texts = texts_of(body, "input", limits)
    top = number_of(body, "top", 3, 1, 1_000) or 3

    def answer() -> Content:
        chances = classifier.predict_proba(texts)
        labels = classifier.predict(texts)
        names = classifier.classes_.tolist()
        rows = []
        for position, row in enumerate(chances):
            best = np.argsort(-row, kind="stable")[:top].tolist()
            label = labels[position]
            rows.append(
                {
                    "object": "classification",
                    "index": position,
                    "label": label if isinstance(label, list) else names[names.index(label)],
                    "top": [{"label": names[i], "probability": float(row[i])} for i in best],
                }
            )
        return {"object": "list", "model": served.name, "data": rows}

    return answer


def _part(part: Any, served: Served, what: str) -> Any:
    if part is None:
        message = f"{served.name} is of the kind '{served.kind}'; it cannot {what}."
        raise RequestError(400, message, "wrong_kind_of_model", "model")
    return part


def _hit_id(body: Content) -> str:
    value = body.get("id")
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise invalid("'id' must be the id of a document.", "id")
    return str(value)


def _lexical(body: Content) -> float:
    value = body.get("lexical", LEXICAL)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise invalid("'lexical' must be a number from 0 to 1.", "lexical")
    return float(value)


def _label(body: Content, name: str, classifier: PSIFClassifier) -> Any:
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, list | dict) or value not in classifier.classes_.tolist():
        raise invalid(f"'{name}' is not a label of this classifier.", name)
    return value
