"""Documents to a segment."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from psif.errors import InputError
from psif.model.embedder import Embedder
from psif.search.bridge import ModelWords
from psif.search.collecting import WordCollector
from psif.search.languages import find_language
from psif.search.metadata import Column, build_columns, check_metadata
from psif.search.postings import Postings
from psif.search.rows import Rows, pack_rows
from psif.search.segment import Segment
from psif.search.space import Space
from psif.search.stemming import NO_LANGUAGE, stem_words
from psif.search.strings import Strings, to_bytes
from psif.search.texts import TextPacker, TextStore, texts_of
from psif.text.checks import check_text
from psif.text.flat import FlatDocs
from psif.text.word_index import BLOCK_CHARACTERS

_DOCS_A_BLOCK = 8_192
Progress = Callable[[int], None]
"""Called with the number of documents read so far."""


class Record(NamedTuple):
    """A document to be put into an index."""

    id: str
    text: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True)
class Collected:
    """Documents that were read: words, texts, ids, metadata.

    Attributes
    ----------
    words : list of str
        Search words, in order of first sight.
    docs : FlatDocs
        Documents as ids of search words.
    """

    words: list[str]
    docs: FlatDocs
    texts: TextStore
    ids: list[bytes]
    columns: dict[str, Column]

    def language(self) -> str:
        """Return the language that the words are of, or "none"."""
        counts = np.bincount(self.docs.ids, minlength=len(self.words)).tolist()
        return find_language(dict(zip(self.words, counts, strict=True))) or NO_LANGUAGE


def collect(
    records: Iterable[Record], *, n_jobs: int | None = None, progress: Progress | None = None
) -> Collected:
    """Read documents once."""
    words = WordCollector()
    ids: list[bytes] = []
    metadata: list[Mapping[str, Any]] = []
    with TextPacker(n_jobs) as packer:
        for block in _blocks(records):
            words.add([record.text for record in block])
            for key, text, fields in block:
                packer.add(text, fields)
                ids.append(to_bytes(key))
                metadata.append(fields)
            if progress is not None:
                progress(len(ids))
        store = packer.store()
    _refuse_twice(ids)
    return Collected(words.words(), words.docs(), store, ids, build_columns(metadata))


def make_segment(
    collected: Collected,
    language: str,
    space: Space | None,
    model_docs: FlatDocs | None = None,
    approximate: bool | None = None,
) -> Segment:
    """Index documents that were read, with a given language and space.

    ``model_docs`` are the documents as :func:`words_of_model` gives them, where that is done.
    """
    rows = None
    if space is not None:
        if model_docs is None:
            model_docs = words_of_model(collected, space.model)
        rows = embed_rows(space, model_docs).with_lists(approximate)
    nothing = np.zeros(len(collected.ids), dtype=np.int32)
    order = sorted(range(len(collected.ids)), key=collected.ids.__getitem__)
    return Segment(
        ids=Strings.of(collected.ids),
        id_order=np.array(order, dtype=np.int32),
        postings=Postings.build(collected.docs, stem_words(collected.words, language)),
        texts=collected.texts,
        rows=rows,
        n_words=nothing if model_docs is None else model_docs.n_tokens.astype(np.int32),
        n_known=nothing if model_docs is None else model_docs.lengths.astype(np.int32),
        columns=collected.columns,
    )


def words_of_model(collected: Collected, model: Embedder) -> FlatDocs:
    """Documents as sorted ids of the model's words."""
    if ModelWords.is_enough_for(model):
        return ModelWords.of(collected.words, model).translate(collected.docs)
    return model.word_ids(texts_of([(collected.texts, None)]))


def embed_rows(space: Space, docs: FlatDocs) -> Rows:
    """Vectors of documents, given as sorted ids of the model's words, as they are stored."""
    vectors = np.empty((len(docs), space.n_dims), dtype=np.int8)
    scales = np.empty(len(docs), dtype=np.float32)
    for start in range(0, len(docs), _DOCS_A_BLOCK):
        stop = min(start + _DOCS_A_BLOCK, len(docs))
        vectors[start:stop], scales[start:stop] = pack_rows(space.embed(docs.part(start, stop)))
    return Rows.of(vectors, scales)


def make_records(
    texts: Iterable[Any], ids: Iterable[Any] | None, metadata: Iterable[Any] | None, first: int
) -> Iterator[Record]:
    """Join texts, ids and metadata; documents without an id get numbers from ``first`` on."""
    keys = map(str, itertools.count(first)) if ids is None else map(_checked_id, ids)
    fields: Iterator[dict[str, Any]] = itertools.repeat({})
    if metadata is not None:
        fields = check_metadata(metadata)
    n_texts = 0
    for n_texts, text in enumerate(texts, start=1):
        key, described = next(keys, None), next(fields, None)
        if key is None or described is None:
            what = "ids" if key is None else "entries of metadata"
            raise InputError(f"there are {n_texts - 1} {what}, but more texts; give one per text.")
        yield Record(key, check_text(text, n_texts - 1), described)
    for what, given, rest in (("ids", ids, keys), ("entries of metadata", metadata, fields)):
        if given is not None and next(rest, None) is not None:
            raise InputError(f"there are more {what} than the {n_texts} texts; give one per text.")


def _checked_id(key: Any) -> str:
    if isinstance(key, int | np.integer) and not isinstance(key, bool):
        return str(key)
    if isinstance(key, str) and key:
        return key
    raise InputError(f"an id must be a text that is not empty, or a whole number; got {key!r}.")


def _refuse_twice(ids: list[bytes]) -> None:
    if len(set(ids)) == len(ids):
        return
    seen: set[bytes] = set()
    for position, key in enumerate(ids):
        if key in seen:
            raise InputError(
                f"the id {key.decode('utf-8', 'replace')!r} is given twice, the second time for "
                f"document {position}. Every document needs an id of its own."
            )
        seen.add(key)


def _blocks(records: Iterable[Record]) -> Iterator[list[Record]]:
    block: list[Record] = []
    length = 0
    for record in records:
        block.append(record)
        length += len(record.text) + 1
        if length >= BLOCK_CHARACTERS:
            yield block
            block, length = [], 0
    if block:
        yield block
