"""Answers to the questions of the page, as plain data ready for JSON."""

from __future__ import annotations

import base64
import warnings
from typing import Any

import numpy as np

from psif.errors import InputError, PsifWarning
from psif.explain.assigning import standing_out
from psif.explain.contrast import Space, contrast
from psif.explain.side import word_shares
from psif.explorer.areas import areas
from psif.explorer.collection import Collection
from psif.explorer.packing import packed
from psif.explorer.palette import GREY, PAGES, palette, ramp
from psif.explorer.searching import TextSearch
from psif.explorer.tokenizer_facts import tokenizer_facts
from psif.types import FloatVector

_RESULTS = 50
# Hits that are shown with the reason.
_REASONS = 10
_NEIGHBOURS = 12
_PAIRS = 60
# The largest number of texts in one answer.
_MOST_TEXTS = 1_000
# Documents whose first lines are sent with the map; of more, the page asks for those it shows.
_MOST_LINES = 100_000
# Documents that are searched by an index of their words too; an index of more would not fit beside
# their vectors.
_MOST_INDEXED = 100_000
# Two 16-bit numbers per document are fine enough for any screen; this value means no place.
NOWHERE = 65_535
_LINE = 140
# The number of labels of a column that have colours; the others are grey.
_COLOURED = 60


class Answers:
    """Answers about one collection."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        self._text_search = None
        if collection.texts is not None and len(collection) <= _MOST_INDEXED:
            self._text_search = TextSearch(collection.texts, collection.model)

    def overview(self) -> dict[str, Any]:
        """Return all that the map and the lists need; the page asks for it once."""
        collection = self.collection
        return {
            "title": collection.title,
            "notes": list(collection.notes),
            "method": collection.places.method,
            "total": collection.sample.n_total,
            "has_texts": collection.texts is not None,
            "ids": collection.sample.ids,
            "lines": self.lines(),
            "places": packed(self._places()),
            "topic_of": packed(self.strongest_topics().astype(np.uint16)),
            "topics": self.topics(),
            "columns": [column.to_dict() for column in collection.columns],
            "areas": self.areas(),
            "colours": self.colours(),
            "tokenizer": tokenizer_facts(collection.model.tokenizer_),
        }

    def lines(self) -> list[str] | None:
        """First line of each document, shortened; None if there are too many to send at once."""
        if self.collection.texts is None or len(self.collection) > _MOST_LINES:
            return None
        return [first_line(text) for text in self.collection.texts]

    def lines_of(self, numbers: Any) -> list[str]:
        """Return the first lines of some documents."""
        return [first_line(text) for text in self.texts(numbers)]

    def topics(self) -> list[dict[str, Any]]:
        """Return words, share, neighbours and example documents of each topic."""
        collection = self.collection
        shares = collection.shares
        result = []
        for topic in collection.model.topics(n_words=12):
            examples = []
            if shares is not None:
                best = np.argsort(-shares[:, topic.index], kind="stable")[:5]
                examples = [i for i in best.tolist() if shares[i, topic.index] > 0]
            result.append(
                {
                    "name": topic.name,
                    "words": topic.words,
                    "opposite": topic.opposite_words[:6],
                    "share": topic.share,
                    "nearest": topic.nearest,
                    "examples": examples,
                }
            )
        return result

    def areas(self) -> list[Any]:
        """Return named areas of the map for readers who zoom in; none without texts."""
        collection = self.collection
        if collection.docs is None:
            return []
        names = collection.model.vocabulary_.words
        return areas(collection.places.xy, collection.docs, names)

    def strongest_topics(self) -> np.ndarray:
        """Return, per document, the topic whose share is most above its mean, or ``NOWHERE``.

        The plain share would colour the whole map by topics of words that every document has.
        """
        shares = self.collection.shares
        if shares is None:
            return np.full(len(self.collection), NOWHERE)
        topics, _ = standing_out(shares, shares.mean(axis=0))
        return np.where(topics >= 0, topics, NOWHERE)

    def colours(self) -> dict[str, Any]:
        """Return the colours of topics and labels, light and dark, and those of a scale.

        The most different colours come first. ``topics`` says which colour each topic has: the
        largest topics have the most different colours.
        """
        n_topics = self.collection.model.n_topics_
        sizes = np.bincount(self.strongest_topics(), minlength=NOWHERE + 1)[:n_topics]
        n_labels = [len(c.data["names"]) for c in self.collection.columns if c.kind == "label"]
        number = max(n_topics, min(_COLOURED, max(n_labels, default=0)))
        return {
            "none": GREY,
            "topics": np.argsort(np.argsort(-sizes, kind="stable"), kind="stable").tolist(),
            **{name: {"many": palette(name, number), "scale": ramp(name)} for name in PAGES},
        }

    def document(self, number: int) -> dict[str, Any]:
        """Return one document: text, words with their topics, topic shares, neighbours."""
        collection = self.collection
        row = self._row(number)
        shares = collection.shares
        return {
            "text": None if collection.texts is None else collection.texts[row],
            "words": {}
            if collection.docs is None
            else self.words(collection.docs.part(row, row + 1).ids),
            "topics": None if shares is None else shares[row].tolist(),
            "near": self._nearest(collection.sample.rows[row], _NEIGHBOURS, without=row),
        }

    def texts(self, numbers: Any) -> list[str | None]:
        """Return the texts of some documents; None where a text is missing."""
        if not isinstance(numbers, list) or len(numbers) > _MOST_TEXTS:
            raise InputError(f"expected a list of at most {_MOST_TEXTS} numbers of documents")
        rows = [self._row(number) for number in numbers]
        texts = self.collection.texts
        return [None if texts is None else texts[row] for row in rows]

    def words(self, ids: np.ndarray) -> dict[str, tuple[int, float]]:
        """Return the strongest topic of each word, and its weight relative to the heaviest."""
        words = self.collection.model.words_
        distinct, shares = word_shares(words, ids)
        if not len(distinct):
            return {}
        size = np.abs(words.codes[distinct].astype(np.float64))
        size[:, : words.n_shared] = 0
        weights = shares * size.max(axis=1)
        weights /= weights.max() or 1.0
        names = self.collection.model.vocabulary_.words
        return {
            names[word]: (topic, round(weight, 4))
            for word, topic, weight in zip(
                distinct.tolist(), size.argmax(axis=1).tolist(), weights.tolist(), strict=True
            )
        }

    def search(self, text: str) -> dict[str, Any]:
        """Return the documents that fit a text best, the first ones with the reason.

        With texts they are the hits of :class:`psif.Index`; without, or with very many documents,
        the nearest vectors.
        """
        result = self.nearest(text)
        if self._text_search is not None:
            found, missing = self._text_search.find(text, _RESULTS, _REASONS)
            result["found"] = [one if one.reason else one[:2] for one in found]
            result["unknown"] = [word for word in result["unknown"] if word in missing]
        return result

    def nearest(self, text: str) -> dict[str, Any]:
        """Embed a text and return the documents with the nearest vectors."""
        collection = self.collection
        docs = collection.model.word_ids([text])
        n_known = len(docs.ids)
        found: list[tuple[int, float]] = []
        if n_known:
            vector = collection.sample.shorten(collection.model.average(docs))[0]
            found = self._nearest(vector, _RESULTS)
        return {
            "known": n_known,
            "words": int(docs.n_tokens[0]),
            "unknown": self.unknown(text),
            "found": found,
        }

    def compare(self, a: int | str, b: int | str) -> dict[str, Any]:
        """Compare two documents, given by number or as text: the exact split of their score."""
        first, second = self._text(a), self._text(b)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PsifWarning)
            result = self.collection.model.explain(first, second, n_pairs=_PAIRS)
        return {
            **result.to_dict(),
            "word_topics_a": result.word_topics_a,
            "word_topics_b": result.word_topics_b,
            "text_a": first,
            "text_b": second,
            "unknown_a": self.unknown(first),
            "unknown_b": self.unknown(second),
        }

    def contrast(self, first: Any, second: Any) -> dict[str, Any]:
        """Say what tells two sets of documents apart; a set is the base64 of a bit per document."""
        model, docs = self.collection.model, self.collection.docs
        if docs is None:
            raise InputError("the texts are not here; start the explorer with --texts")
        sets = (docs.take(self._chosen(first)), docs.take(self._chosen(second)))
        space = Space(model.words_, model.components_, model.table_, model.word_columns_)
        names = [topic.name for topic in model.topics()]
        return contrast(space, model.vocabulary_.words, names, *sets).to_dict()

    def _chosen(self, bits: Any) -> np.ndarray:
        try:
            raw = np.frombuffer(base64.b64decode(bits, validate=True), dtype=np.uint8)
        except (TypeError, ValueError):
            raw = np.zeros(0, dtype=np.uint8)
        rows = np.flatnonzero(np.unpackbits(raw, bitorder="little"))
        if not len(rows) or rows[-1] >= len(self.collection):
            raise InputError("expected documents as the base64 of one bit per document")
        return rows

    def unknown(self, text: str) -> list[str]:
        """Return the words of a text that the model does not know, each once."""
        model = self.collection.model
        if model.vocabulary_.n_buckets:
            return []
        index = model.vocabulary_.index
        return [word for word in dict.fromkeys(model.tokenizer_(text)) if word not in index]

    def _text(self, side: int | str) -> str:
        if isinstance(side, str):
            return side
        text = None if self.collection.texts is None else self.collection.texts[self._row(side)]
        if text is None:
            raise InputError(
                "the text of this document is not here; start the explorer with --texts"
            )
        return text

    def _row(self, number: Any) -> int:
        if isinstance(number, bool) or not isinstance(number, int):
            raise InputError(f"expected the number of a document, got {str(number)[:40]!r}")
        if not 0 <= number < len(self.collection):
            raise InputError(f"there is no document {number}; there are {len(self.collection):,}")
        return number

    def _nearest(
        self, vector: FloatVector, number: int, without: int | None = None
    ) -> list[tuple[int, float]]:
        if not vector.any():
            return []
        scores = self.collection.sample.rows @ vector
        if without is not None:
            scores[without] = -np.inf
        number = min(number, len(scores) - (without is not None))
        best = np.argpartition(-scores, number - 1)[:number] if number else np.zeros(0, int)
        best = best[np.lexsort((best, -scores[best]))]
        return [(int(i), round(float(scores[i]), 5)) for i in best]

    def _places(self) -> np.ndarray:
        xy = self.collection.places.xy
        return np.where(np.isnan(xy), NOWHERE, np.nan_to_num(xy) * (NOWHERE - 1)).astype(np.uint16)


def first_line(text: str | None) -> str:
    """Return the first line that is not empty, shortened."""
    line = next((line for line in (text or "")[:4_000].splitlines() if line.strip()), "").strip()
    return line if len(line) <= _LINE else line[: _LINE - 1] + "…"
