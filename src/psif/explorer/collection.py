"""A collection of documents as the explorer shows it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from psif.errors import PsifWarning
from psif.explain.topics import document_shares
from psif.explorer.columns import Column, Fields
from psif.explorer.matching import match_texts
from psif.explorer.projection import Places, Progress, lay_out
from psif.explorer.sample import Sample, read_sample
from psif.model.embedder import Embedder
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix

# Documents of a page that is one file, and of a page that is served.
MOST_DOCUMENTS, MOST_SERVED = 100_000, 1_000_000
_CHECKED = 64


@dataclass(frozen=True)
class Collection:
    """A model, vectors that it made and, if given, the texts of these vectors.

    Attributes
    ----------
    title : str
    model : Embedder
    sample : Sample
        Ids and vectors.
    texts : list of (str or None), or None
        One per document; None without texts.
    notes : list of str
        What a reader of the page should know.
    columns : list of Column
        Other columns of the texts file.
    """

    title: str
    model: Embedder
    sample: Sample
    texts: list[str | None] | None
    notes: list[str]
    columns: list[Column] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.sample.ids)

    @cached_property
    def docs(self) -> FlatDocs | None:
        """The texts as ids of known words; a missing text is empty."""
        if self.texts is None:
            return None
        return self.model.word_ids([text or "" for text in self.texts])

    @cached_property
    def places(self) -> Places:
        """Positions of the documents on the map."""
        return self.lay_out()

    def lay_out(self, progress: Progress = lambda part: None) -> Places:
        """Find :attr:`places`, telling how far it is."""
        found = lay_out(self.sample.rows, n_jobs=self.model.n_jobs, progress=progress)
        self.__dict__["places"] = found
        return found

    @cached_property
    def shares(self) -> FloatMatrix | None:
        """Topic shares of documents, from their words or, without texts, from their vectors.

        None for compact vectors without texts, which do not show topics.
        """
        if self.docs is not None:
            return document_shares(self.model.words_, self.docs, self.model.n_jobs)
        return self.sample.energies


def load_collection(
    model: Embedder,
    vectors: Path,
    documents: Iterable[tuple[str, str]] | None = None,
    *,
    fields: Fields | None = None,
    title: str = "psif explorer",
    most: int = MOST_DOCUMENTS,
) -> Collection:
    """Read vectors and texts, and match them by id.

    Parameters
    ----------
    model : Embedder
    vectors : Path
        A file that ``psif embed`` wrote with this model.
    documents : iterable of (id, text), optional
    fields : Fields, optional
        Receives the other columns of each document while ``documents`` are read.
    title : str
    most : int
        If there are more documents, a random sample is shown.
    """
    only_topics = model.table_ is None and model.word_columns_ is None
    n_blocks = model.n_topics_ if only_topics else None
    sample = read_sample(Path(vectors), model.n_features_out_, most, n_blocks)
    notes = []
    if sample.n_total > len(sample.ids):
        notes.append(
            f"{len(sample.ids):,} of {sample.n_total:,} documents are shown, chosen at random; "
            "search and neighbours look among these"
        )
    if sample.projection is not None:
        notes.append(
            f"vectors were shortened to {sample.rows.shape[1]} numbers to fit in memory: "
            "neighbours are approximate, comparisons are exact"
        )
    texts = None
    fields = fields or Fields()
    if documents is not None:
        fields.start(len(sample.ids))
        whole = sample.n_total == len(sample.ids)
        texts, unmatched = match_texts(sample.ids, documents, whole=whole, seen=fields.keep)
        notes += unmatched + _check_origin(model, sample, texts)
    n_empty = int((~sample.rows.any(axis=1)).sum())
    if n_empty:
        have = "document has" if n_empty == 1 else "documents have"
        notes.append(f"{n_empty:,} {have} no known word and no place on the map")
    columns, left_out = fields.columns()
    return Collection(title, model, sample, texts, notes + left_out, columns)


def _check_origin(model: Embedder, sample: Sample, texts: list[str | None]) -> list[str]:
    """Embed some texts again, to find vectors of another model or of other texts."""
    having = [i for i, text in enumerate(texts) if text is not None]
    some = having[:: max(1, len(having) // _CHECKED)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PsifWarning)
        again = model.average(model.word_ids([texts[i] or "" for i in some]))
    alike = np.einsum("ij,ij->i", sample.shorten(again), sample.rows[some])
    empty = (np.linalg.norm(again, axis=1) == 0) & (np.abs(sample.rows[some]).max(axis=1) == 0)
    n_other = int(((alike < 0.98) & ~empty).sum())
    if not n_other:
        return []
    return [
        f"{n_other} of {len(some)} vectors checked are not what this model makes of their texts: "
        "were they embedded with another model, or another text column?"
    ]
