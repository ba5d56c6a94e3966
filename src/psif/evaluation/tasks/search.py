"""Search: collections of documents with queries and judgements, in the layout of BEIR."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psif.errors import FormatError, InputError
from psif.evaluation.data.folders import data_file
from psif.evaluation.tasks.base import Task
from psif.files.readers import ReadOptions, read_documents


@dataclass(frozen=True)
class SearchData:
    """A collection.

    Attributes
    ----------
    documents, queries : dict of str to str
        Texts by id. A document is its title and its text, with a space between them, as in BEIR.
    judgements : dict of str to dict of str to float
        By query and document; a document with a judgement above 0 is relevant.
    """

    documents: Mapping[str, str]
    queries: Mapping[str, str]
    judgements: Mapping[str, Mapping[str, float]]

    def sample(self, n_docs: int) -> SearchData:
        """At most ``n_docs`` queries; the documents stay, or the task would be another."""
        return SearchData(
            self.documents, dict(list(self.queries.items())[:n_docs]), self.judgements
        )

    def tokenised(self) -> SearchData:
        """Return the same data: rankers and vectors read words in different ways."""
        return self


def read_collection(corpus: str | Path, queries: str | Path, qrels: str | Path) -> SearchData:
    """Read a collection in the layout of BEIR.

    Parameters
    ----------
    corpus : path
        Records with ``_id`` (or ``id``), ``text`` and perhaps ``title``; any input of psif.
    queries : path
        Records with ``_id`` (or ``id``) and ``text``.
    qrels : path
        Judgements between tabs, with or without a header: query, document, judgement; or the four
        columns of TREC, with an unused one after the query.
    """
    documents, asked = _texts(corpus), _texts(queries)
    judgements = _judgements(Path(qrels))
    for what, known, named in (
        ("query", asked, set(judgements)),
        ("document", documents, {doc for grades in judgements.values() for doc in grades}),
    ):
        if not named & set(known):
            raise InputError(
                f"{qrels}: no {what} of it is in {corpus if what == 'document' else queries}; "
                f"it names {sorted(named)[:3]}. Are these files of one collection?"
            )
    return SearchData(documents, asked, {q: g for q, g in judgements.items() if q in asked})


def collection_files(corpus: str | Path, queries: str | Path, qrels: str | Path) -> Task:
    """Make a task of your own collection; the files are as for :func:`read_collection`."""
    paths = [Path(path) for path in (corpus, queries, qrels)]
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: no such file.")
    marks = [f"{path}:{path.stat().st_size}:{path.stat().st_mtime_ns}" for path in paths]
    return Task(
        name=paths[0].resolve().parent.name or "collection",
        title=f"search in {corpus}",
        kind="search",
        load=lambda: read_collection(corpus, queries, qrels),
        source=" ".join(marks),
        citation="",
    )


def _texts(path: str | Path) -> dict[str, str]:
    seen: list[dict[str, Any]] = []
    texts: dict[str, str] = {}
    options = ReadOptions(other_columns=seen.append)
    for document in read_documents([path], options):
        fields = seen.pop() if seen else {}
        # "_id" is BEIR's name; psif's own is "id".
        key = str(fields.get("_id", document.id))
        if key in texts:
            raise InputError(f"{path}: the id {key!r} is given twice.")
        texts[key] = f"{fields.get('title') or ''} {document.text}".strip()
    return texts


def _judgements(path: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.reader(lines, delimiter="\t"), start=1):
            fields = row if len(row) > 1 else " ".join(row).split()
            if not fields:
                continue
            try:
                query, doc, grade = fields[0], fields[-2], float(fields[-1])
            except (IndexError, ValueError) as error:
                if number == 1 and len(fields) in (3, 4):
                    continue  # the header
                raise FormatError(
                    f"{path}, line {number}: expected a query, a document and a number between "
                    f"tabs; got {row!r}."
                ) from error
            found.setdefault(query, {})[doc] = grade
    return found


def _shared(folder: str) -> SearchData:
    return read_collection(
        data_file(f"{folder}/corpus.jsonl.gz"),
        data_file(f"{folder}/queries.jsonl.gz"),
        data_file(f"{folder}/qrels.tsv"),
    )


CRANFIELD = Task(
    name="cranfield",
    title="Cranfield: 1,400 abstracts on aerodynamics, 225 queries",
    kind="search",
    load=lambda: _shared("search_cranfield"),
    source="http://ir.dcs.gla.ac.uk/resources/test_collections/cran/",
    citation="Cleverdon (1967), The Cranfield tests on index language devices.",
)
NPL = Task(
    name="npl",
    title="NPL (Vaswani): 11,426 abstracts on electronics, 93 queries",
    kind="search",
    load=lambda: _shared("search_npl"),
    source="http://ir.dcs.gla.ac.uk/resources/test_collections/npl/",
    citation="Vaswani, Cameron (1970), The National Physical Laboratory experiments in statistical "
    "word associations and their use in document indexing and retrieval.",
)
