"""New states of an index from old ones: documents added, deleted, learned from anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace as changed

import numpy as np

from psif.errors import InputError
from psif.model.embedder import Embedder
from psif.search.building import (
    Progress,
    Record,
    collect,
    make_segment,
    words_of_model,
)
from psif.search.default_model import learn_model
from psif.search.merging import tidy
from psif.search.segment import Part, Segment
from psif.search.space import Space
from psif.search.stemming import AUTO, check_language
from psif.search.storage import Content
from psif.search.strings import to_text
from psif.search.texts import texts_of
from psif.vectors.progress import Progress as TrainingProgress


def rebuilt(
    content: Content,
    records: Iterable[Record],
    model: Embedder | None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    training: TrainingProgress | None = None,
    approximate: bool | None = None,
) -> Content:
    """Return an index of documents alone, with the model that is given or one learned from them.

    ``content`` says the language, which may be "auto", and how documents are numbered.
    """
    language = check_language(content.language)
    collected = collect(records, n_jobs=n_jobs, progress=progress)
    if not collected.ids:
        return changed(content, parts=())
    if language == AUTO:
        language = collected.language()
    if model is None:
        texts = texts_of([(collected.texts, None)])
        model = learn_model(texts, language, n_jobs=n_jobs, progress=training)
    space = docs = None
    if model is not None:
        docs = words_of_model(collected, model)
        space = Space.learn(model, docs)
    segment = make_segment(collected, language, space, docs, approximate)
    number = max(content.next_number, next_number(content.next_number, segment))
    return Content((Part(segment),), space, language, number)


def grown(content: Content, segment: Segment, *, replace: bool) -> Content:
    """Return an index with further documents; those with the same ids are replaced or refused."""
    parts = []
    for part in content.parts:
        docs = _same_ids(part, segment)
        if docs and not replace:
            more = f" (and {len(docs) - 1} more of the new ids)" if len(docs) > 1 else ""
            raise InputError(
                f"the index already has a document with the id {part.segment.id_of(docs[0])!r}"
                f"{more}. Give other ids, or replace the documents (replace=True, --replace)."
            )
        parts.append(part.without(np.array(docs, dtype=np.int32)) if docs else part)
    return changed(
        content,
        parts=tuple(tidy([*parts, Part(segment)])),
        next_number=next_number(content.next_number, segment),
    )


def shrunk(content: Content, keys: Sequence[str]) -> Content:
    """Return an index without some documents; an unknown id is refused."""
    parts = list(content.parts)
    missing = []
    by_part: dict[int, list[int]] = {}
    for key in keys:
        places = [(number, part.find(key)) for number, part in enumerate(parts)]
        found = [(number, doc) for number, doc in places if doc >= 0]
        if not found:
            missing.append(key)
        for number, doc in found:
            by_part.setdefault(number, []).append(doc)
    if missing:
        more = f" and {len(missing) - 1} more of these ids" if len(missing) > 1 else ""
        raise InputError(f"no document has the id {missing[0]!r}{more}; nothing was deleted.")
    for number, docs in by_part.items():
        parts[number] = parts[number].without(np.array(docs, dtype=np.int32))
    return changed(content, parts=tuple(tidy(parts)))


def next_number(number: int, segment: Segment) -> int:
    """Return the first number from which on no id of new documents is a number already taken."""
    taken = [int(key) for key in map(to_text, segment.ids) if key.isascii() and key.isdigit()]
    return max([number, *(n + 1 for n in taken if n < 2**53)])


def _same_ids(part: Part, segment: Segment) -> list[int]:
    """Positions in a part of documents that have the id of one in the segment."""
    if len(segment) < 1_000:
        found = [part.segment.ids.find(key, part.segment.id_order) for key in segment.ids]
    else:
        both = part.segment.id_set & segment.id_set
        found = [part.segment.ids.find(key, part.segment.id_order) for key in both]
    return sorted(doc for doc in found if doc >= 0 and part.is_live(doc))
