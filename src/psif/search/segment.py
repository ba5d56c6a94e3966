"""A segment: some documents of an index, complete in itself and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from psif.errors import FormatError
from psif.search.metadata import Column
from psif.search.postings import Postings
from psif.search.rows import Rows
from psif.search.strings import Strings, to_bytes, to_text
from psif.search.texts import TextStore
from psif.types import IdVector


@dataclass(frozen=True, eq=False)
class Segment:
    """Words, vectors, texts, ids and metadata of some documents.

    Attributes
    ----------
    ids : Strings
    id_order : ndarray of int32
        What sorts the ids.
    postings : Postings
    texts : TextStore
    rows : Rows or None
        Vectors; None in an index without a model.
    columns : dict of str to Column
        Metadata by field.
    n_words, n_known : ndarray of int32, shape (n_docs,)
        Words of each document as the model's tokenizer finds them, and those that the model
        knows; 0 in an index without a model.
    """

    ids: Strings
    id_order: IdVector
    postings: Postings
    texts: TextStore
    rows: Rows | None
    n_words: IdVector
    n_known: IdVector
    columns: Mapping[str, Column] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)

    def find(self, key: str) -> int:
        """Position of the document with an id, or -1."""
        return self.ids.find(to_bytes(key), self.id_order)

    def id_of(self, doc: int) -> str:
        """Id of a document."""
        return to_text(self.ids[doc])

    @cached_property
    def id_set(self) -> frozenset[bytes]:
        """All ids, for asking after many of them."""
        return frozenset(self.ids)

    # As named arrays

    def to_arrays(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Everything as plain data and as arrays, for a file."""
        arrays: dict[str, np.ndarray] = {
            **_strings("ids", self.ids),
            "id_order": self.id_order,
            **_strings("terms", self.postings.terms),
            "doc_freqs": self.postings.doc_freqs,
            "posting_ends": self.postings.ends,
            "postings": self.postings.stream,
            "lengths": self.postings.lengths,
            **_strings("texts", self.texts.blocks),
            "first_docs": self.texts.first_docs,
            "n_words": self.n_words,
            "n_known": self.n_known,
        }
        if self.rows is not None:
            arrays |= self.rows.to_arrays()
        for number, column in enumerate(self.columns.values()):
            name = f"field{number}"
            arrays |= {
                f"{name}.kinds": column.kinds,
                f"{name}.numbers": column.numbers,
                f"{name}.codes": column.codes,
                **_strings(f"{name}.strings", column.strings),
            }
        return {"n_docs": len(self), "fields": list(self.columns)}, arrays

    @classmethod
    def from_arrays(cls, facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Segment:
        """Inverse of :meth:`to_arrays`; raises :class:`psif.FormatError` for what does not fit."""

        def get(name: str, dtype: type, ndim: int = 1) -> Any:
            array = arrays.get(name)
            if array is None or array.dtype != dtype or array.ndim != ndim:
                raise FormatError(f"the array {name!r} is missing or not {np.dtype(dtype)}.")
            return array

        def strings(name: str) -> Strings:
            return Strings(get(name, np.uint8), get(f"{name}.ends", np.int64))

        rows = None
        if "vectors" in arrays:
            rows = Rows.from_arrays(get, arrays)
        segment = cls(
            ids=strings("ids"),
            id_order=get("id_order", np.int32),
            postings=Postings(
                strings("terms"),
                get("doc_freqs", np.int32),
                get("posting_ends", np.int64),
                get("postings", np.uint8),
                get("lengths", np.int32),
            ),
            texts=TextStore(strings("texts"), get("first_docs", np.int32)),
            rows=rows,
            columns={
                name: Column(
                    get(f"field{number}.kinds", np.uint8),
                    get(f"field{number}.numbers", np.float64),
                    get(f"field{number}.codes", np.int32),
                    strings(f"field{number}.strings"),
                )
                for number, name in enumerate(facts["fields"])
            },
            n_words=get("n_words", np.int32),
            n_known=get("n_known", np.int32),
        )
        segment.check(int(facts["n_docs"]))
        return segment

    def check(self, n_docs: int) -> None:
        """Raise if the parts do not fit one another: compiled loops do not look."""
        self.ids.check("ids")
        self.postings.check()
        self.texts.check()
        for name, column in self.columns.items():
            column.check(name, n_docs)
        sizes = {len(self.ids), len(self.id_order), len(self.postings), len(self.texts)}
        sizes |= {len(self.n_words), len(self.n_known)}
        if self.rows is not None:
            sizes |= self.rows.sizes
        if sizes != {n_docs}:
            raise FormatError(f"the parts have {sorted(sizes)} documents, expected {n_docs}.")
        if (np.sort(self.id_order) != np.arange(n_docs, dtype=np.int32)).any():
            raise FormatError("the order of the ids is damaged.")
        if self.rows is not None:
            self.rows.check()


@dataclass(frozen=True)
class Part:
    """A segment as an index sees it: with documents deleted since."""

    segment: Segment
    live: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.segment)

    @cached_property
    def n_live(self) -> int:
        """Documents that are not deleted."""
        return len(self) if self.live is None else int(self.live.sum())

    @cached_property
    def length_sum(self) -> int:
        """Words of all documents that are not deleted."""
        lengths = self.segment.postings.lengths
        return int((lengths if self.live is None else lengths[self.live]).sum(dtype=np.int64))

    def is_live(self, doc: int) -> bool:
        """Whether a document is not deleted."""
        return self.live is None or bool(self.live[doc])

    def find(self, key: str) -> int:
        """Position of the document with an id that is not deleted, or -1."""
        doc = self.segment.find(key)
        return doc if doc >= 0 and self.is_live(doc) else -1

    def without(self, docs: IdVector) -> Part:
        """Delete documents."""
        live = np.ones(len(self), dtype=bool) if self.live is None else self.live.copy()
        live[docs] = False
        return Part(self.segment, live)


def _strings(name: str, strings: Strings) -> dict[str, np.ndarray]:
    return {name: strings.data, f"{name}.ends": strings.ends}
