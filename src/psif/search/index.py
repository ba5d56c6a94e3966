"""Documents that can be searched."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from psif.errors import FormatError, InputError, PsifWarning
from psif.model.embedder import Embedder
from psif.search.building import Progress, collect, make_records, make_segment
from psif.search.explanation import SearchExplanation
from psif.search.growing import grown, rebuilt, shrunk
from psif.search.hits import Hit
from psif.search.info import IndexInfo
from psif.search.query import Query
from psif.search.scoring import LEXICAL
from psif.search.searcher import Searcher
from psif.search.storage import Content, Saved, load_content, save_content
from psif.search.texts import Stored
from psif.text.checks import check_texts
from psif.vectors.progress import Progress as TrainingProgress


class Index:
    """Find documents by exact words and by topics, with the reason for every hit.

    Build one with :meth:`build` or :meth:`load`. An index in memory is changed by :meth:`add`,
    :meth:`delete` and :meth:`refit`; :meth:`save` brings the changes to disk in one step.

    Examples
    --------
    >>> from psif import Index
    >>> index = Index.build(["the cat sat on the mat", "dogs bark at cats", "the stock fell"])
    >>> [hit.id for hit in index.search("cat", k=2)]
    ['0', '1']
    """

    def __init__(self, content: Content, saved: Saved | None = None) -> None:
        self._content = content
        self._saved = saved

    # Making one

    @classmethod
    def build(
        cls,
        texts: Iterable[str],
        ids: Iterable[str | int] | None = None,
        metadata: Iterable[Any] | None = None,
        model: Embedder | str | Path | None = None,
        *,
        language: str = "auto",
        n_jobs: int | None = None,
        progress: Progress | None = None,
        training: TrainingProgress | None = None,
        approximate: bool | None = None,
    ) -> Self:
        """Index documents, read once.

        Parameters
        ----------
        texts : iterable of str
        ids : iterable of str or int, optional
            One per text; without them documents are numbered from 0.
        metadata : iterable of dict, optional
            One per text: values to show and to filter by.
        model : PSIF, Embedder or path of a saved model, optional
            Without one, a model is learned from the texts.
        language : str, default="auto"
            Of the texts, for stemming: a name such as "english", "none" for no stemming, or
            "auto" to find out.
        n_jobs : int or None
            Threads; None is all cores. Results do not depend on it.
        progress : callable, optional
            Called with the number of documents read so far.
        training : callable, optional
            Called as ``training(done, total)`` while word vectors are trained.
        approximate : bool, optional
            Whether to group neighbours, so that a search looks at few vectors and may miss a hit.
            By default so above 1,000,000 documents, where the extra ``psif[faiss]`` is installed.
        """
        empty = Content((), None, language, 0)
        records = make_records(check_texts(texts), ids, metadata, 0)
        opened = _opened(model)
        return cls(rebuilt(empty, records, opened, n_jobs, progress, training, approximate))

    @classmethod
    def load(cls, path: str | Path, *, mapped: bool = True) -> Self:
        """Read an index that :meth:`save` wrote; its files are checked first.

        ``mapped`` leaves the arrays in the files, for processes of one machine to share.
        """
        return cls(*load_content(path, mapped=mapped))

    def save(self, path: str | Path) -> None:
        """Write the index to a folder, whole or not at all.

        In the folder that it was loaded from, only what changed is written. If another process
        has changed the folder since, nothing is written and :class:`psif.InputError` is raised.
        """
        self._saved = save_content(self._content, path, self._saved)

    # Searching

    def search(
        self,
        query: str,
        k: int = 10,
        where: str | None = None,
        *,
        lexical: float = LEXICAL,
        exact: bool = False,
    ) -> list[Hit]:
        """Find the documents that fit a query best.

        Parameters
        ----------
        query : str
        k : int, default=10
            Hits at most; documents that have nothing in common with the query are no hits.
        where : str, optional
            A condition on the metadata, for example ``"year >= 2020 and lang == 'en'"``; see
            :mod:`psif.search.where`.
        lexical : float, default=0.5
            Weight of exact words beside topics, from 0 to 1; 1 is BM25 alone, 0 is the cosine of
            P-SIF vectors alone.
        exact : bool, default=False
            Miss no hit in an index that was built with ``approximate``; others never do.
        """
        return self.search_many([query], k, where, lexical=lexical, exact=exact)[0]

    def search_many(
        self,
        queries: Iterable[str],
        k: int = 10,
        where: str | None = None,
        *,
        lexical: float = LEXICAL,
        exact: bool = False,
        n_jobs: int | None = None,
    ) -> list[list[Hit]]:
        """Find the documents of several queries, in one pass over the vectors.

        The hits are those of :meth:`search`; threads share the work.
        """
        _check_search(k, lexical)
        if isinstance(queries, str):
            raise InputError("expected a list of queries, got a single text. Write [query].")
        with self._damage_named():
            asked = [self._searcher.read(query) for query in queries]
            _warn_unknown(asked)
            return self._searcher.search(asked, int(k), where, float(lexical), n_jobs, exact=exact)

    def similar(
        self,
        id: str | int,
        k: int = 10,
        where: str | None = None,
        *,
        lexical: float = LEXICAL,
        exact: bool = False,
    ) -> list[Hit]:
        """Find the documents most like one of the index: the hits of its text, without itself."""
        text = self.document(id).text
        found = self.search(text, k + 1, where, lexical=lexical, exact=exact)
        others = [hit for hit in found if hit.id != str(id)][:k]
        return [replace(hit, rank=rank) for rank, hit in enumerate(others, start=1)]

    def explain(
        self, query: str, id: str | int, *, lexical: float = LEXICAL, n_pairs: int = 100
    ) -> SearchExplanation:
        """Say why a document has its score for a query: words, topics and word pairs.

        Parameters
        ----------
        query : str
        id : str or int
        lexical : float, default=0.5
            As given to :meth:`search`.
        n_pairs : int, default=100
            Word pairs to list; the sum of the others is given.
        """
        _check_search(1, lexical)
        doc = self._position(id)
        with self._damage_named():
            return self._searcher.explain(self._searcher.read(query), doc, float(lexical), n_pairs)

    def unknown_words(self, query: str) -> list[str]:
        """Return the words of a query that no document has, each once."""
        return list(self._searcher.read(query).unknown)

    # Documents

    def __len__(self) -> int:
        return self._searcher.n_docs

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str | int) and self._searcher.find(str(id)) is not None

    def ids(self) -> list[str]:
        """Ids of all documents, in the order in which they were added."""
        return [
            part.segment.id_of(doc)
            for part in self._content.parts
            for doc in range(len(part))
            if part.is_live(doc)
        ]

    def document(self, id: str | int) -> Stored:
        """Text and metadata of a document."""
        with self._damage_named():
            return self._searcher.stored(self._position(id))

    @property
    def model(self) -> Embedder | None:
        """The model that makes the vectors; None in an index of words alone."""
        return None if self._content.space is None else self._content.space.model

    @property
    def language(self) -> str:
        """Language of the stems; "none" without stemming."""
        return self._content.language

    @property
    def next_number(self) -> int:
        """Id of the next document that is added without one."""
        return self._content.next_number

    def info(self) -> IndexInfo:
        """Numbers about the index, and whether its model still fits the documents."""
        return IndexInfo.of(self._content, self._saved)

    # Changing it

    def add(
        self,
        texts: Iterable[str],
        ids: Iterable[str | int] | None = None,
        metadata: Iterable[Any] | None = None,
        *,
        replace: bool = False,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Add documents; the model stays as it is.

        Parameters
        ----------
        texts, ids, metadata, n_jobs, progress
            As in :meth:`build`; without ids, numbers continue.
        replace : bool, default=False
            Replace documents that have the same id. By default such are refused and nothing is
            added.
        """
        records = make_records(check_texts(texts), ids, metadata, self._content.next_number)
        if not self._content.parts and self._content.space is None:
            # Nothing was learned yet.
            self._change(rebuilt(self._content, records, None, n_jobs, progress))
            return
        collected = collect(records, n_jobs=n_jobs, progress=progress)
        if collected.ids:
            segment = make_segment(collected, self._content.language, self._content.space)
            self._change(grown(self._content, segment, replace=replace))

    def delete(self, ids: Iterable[str | int]) -> None:
        """Remove documents; if one of the ids is unknown, nothing is removed."""
        if isinstance(ids, str):
            raise InputError("expected a list of ids, got a single text. Write [id].")
        self._change(shrunk(self._content, [str(id) for id in ids]))

    def refit(
        self,
        model: Embedder | str | Path | None = None,
        *,
        n_jobs: int | None = None,
        training: TrainingProgress | None = None,
    ) -> None:
        """Learn the model anew from the documents of the index, and embed all of them with it.

        ``model`` is used instead where one is given. Worth it when :meth:`info` reports that many
        words are unknown.
        """
        records = self._content.records()
        self._change(rebuilt(self._content, records, _opened(model), n_jobs, None, training))

    # Within

    @cached_property
    def _searcher(self) -> Searcher:
        return Searcher(self._content)

    def _position(self, id: str | int) -> int:
        found = self._searcher.find(str(id))
        if found is None:
            place = f"{self._saved.folder}: " if self._saved else ""
            raise InputError(f"{place}no document has the id {str(id)!r}.")
        return found

    @contextmanager
    def _damage_named(self) -> Iterator[None]:
        """Name the folder where damage is found only when a part is read."""
        try:
            yield
        except FormatError as error:
            if self._saved is None:
                raise
            raise FormatError(f"{self._saved.folder}: {error}") from error

    def _change(self, content: Content) -> None:
        self._content = content
        self.__dict__.pop("_searcher", None)


def _opened(model: Embedder | str | Path | None) -> Embedder | None:
    if model is None or isinstance(model, Embedder):
        return model
    if isinstance(model, str | Path):
        return Embedder.load(model)
    raise InputError(
        f"model must be a PSIF model or the folder of one; got {type(model).__name__}."
    )


def _check_search(k: int, lexical: float) -> None:
    if not isinstance(k, int | np.integer) or isinstance(k, bool) or k < 1:
        raise InputError(f"k must be a whole number of at least 1; got {k!r}.")
    if not isinstance(lexical, int | float) or not 0 <= lexical <= 1:
        raise InputError(f"lexical must be a number from 0 to 1; got {lexical!r}.")


def _warn_unknown(queries: Sequence[Query]) -> None:
    unknown = [query for query in queries if not query.is_known]
    if unknown:
        words = ", ".join(unknown[0].unknown[:5])
        more = f" (and {len(unknown) - 1} more queries)" if len(unknown) > 1 else ""
        warnings.warn(
            f"no document has any word of the query: {words}{more}.", PsifWarning, stacklevel=3
        )
