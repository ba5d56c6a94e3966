r"""What a page needs to search and compare without a server.

With a query M, common parts c and the projections p of a word, the score of a document is

.. math:: \langle x_q, x_d \rangle = \sum_{w \in d} s_w g_w, \qquad
          g_w = \alpha_w^T M v_w - \langle c, p_w \rangle

so the page needs no document vectors. It computes one number per word of the vocabulary, then a sum
over the words of each document. Word columns add a second such sum. The numbers are stored in 16
bits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from psif.documents.averaging import WordTopics
from psif.documents.components import word_projections
from psif.documents.word_columns import WordColumns
from psif.explorer.answers import Answers
from psif.explorer.neighbours import nearest_rows
from psif.explorer.packing import packed
from psif.explorer.projection import principal
from psif.text.flat import FlatDocs
from psif.types import FloatMatrix, IdVector

# A page of more documents than this is kept small: fewer neighbours, rounded shares, fewer words.
_MANY = 20_000
# The largest number of bytes of words, before they are compressed; the second in a page of many.
MOST_BYTES, _MOST_BYTES_OF_MANY = 48 << 20, 6 << 20
# The number of words that no document has, for queries.
_MORE_BYTES = 4 << 20
# Characters of all texts, and lengths to which texts are cut until they fit.
_MOST_TEXT = 32 << 20
_CUTS = (4_000, 2_000, 1_000, 500, 250)
_NEIGHBOURS, _NEIGHBOURS_OF_MANY = 12, 6
# Documents compared by all their numbers for each, and numbers held at a time.
_CANDIDATES = 48
_GATHERED = 1 << 24


def offline_data(answers: Answers, *, with_words: bool = True) -> dict[str, Any]:
    """Return all data of a collection; without words, search finds only shared words.

    A page of 100,000 documents should not take more than 40 MB, so it rounds more.
    """
    collection = answers.collection
    data = answers.overview()
    data["lines"] = None
    data["texts"] = _shown_texts(collection.texts, data["notes"])
    shares = collection.shares
    many = len(collection) > _MANY
    data["shares"] = None if shares is None else packed(_rounded_shares(shares, many))
    most_bytes = _MOST_BYTES_OF_MANY if many else MOST_BYTES
    words = None
    if with_words and collection.docs is not None:
        words = pack_words(answers, most_bytes)
    data["words"] = words
    if words is None:
        data["near"] = _neighbours(answers)
    data["search"] = _how_searched(answers, words)
    return data


def _how_searched(answers: Answers, words: dict[str, Any] | None) -> str:
    collection = answers.collection
    if words is not None:
        known = collection.model.vocabulary_
        n_held = sum(known.index[name] < known.n_known for name in words["names"])
        notes = [
            f"This file holds {n_held:,} of the model's {known.n_known:,} words, in 16-bit "
            "numbers: it embeds and compares texts as the model does, with scores exact to about "
            "0.001."
        ]
        if known.n_buckets and not words["n_buckets"]:
            notes.append("Words that the model does not know are left out of new texts here.")
        if collection.model.tokenizer_.classes is None and not collection.model.tokenizer_.phrases:
            notes.append(
                "The model finds words by its own regular expression, which a browser may read "
                "differently."
            )
        return " ".join(notes)
    if collection.texts is None:
        return "This file holds no texts: documents are found by id only."
    return (
        "This file holds no word vectors: texts are found by the words they share, and two "
        "documents cannot be compared. psif explore serves the page with both."
    )


def _shown_texts(texts: list[str | None] | None, notes: list[str]) -> list[str | None] | None:
    if texts is None:
        return None
    lengths = np.array([len(text or "") for text in texts])
    if lengths.sum() <= _MOST_TEXT:
        return texts
    fitting = (cut for cut in _CUTS if np.minimum(lengths, cut).sum() <= _MOST_TEXT)
    cut = next(fitting, _CUTS[-1])
    n_cut = int((lengths > cut).sum())
    notes.append(
        f"{n_cut:,} long texts are shown up to {cut:,} characters in this file; "
        "scores are those of the whole texts"
    )
    return [None if text is None else text[:cut] for text in texts]


def _rounded_shares(shares: FloatMatrix, many: bool) -> np.ndarray:
    """Return topic shares in 16 bits, in a page of many documents in 8."""
    return np.rint(255 * shares).astype(np.uint8) if many else shares.astype(np.float16)


def pack_words(answers: Answers, most_bytes: int = MOST_BYTES) -> dict[str, Any] | None:
    """Return vectors, codes and weights of the words, and the words of each document.

    Return None if the words of the documents would take more than ``most_bytes``.
    """
    model, docs = answers.collection.model, answers.collection.docs
    assert docs is not None
    used = np.unique(docs.ids)
    n_nonzero = float((model.words_.codes[used] != 0).sum(axis=1).mean()) if len(used) else 0.0
    columns = model.word_columns_
    width = 0 if model.table_ is None else model.table_.shape[1]
    # The page needs the rows of compact vectors, or else word vectors.
    a_word = 2 * (width or model.words_.dim) + 4 * n_nonzero + 12
    if len(used) * a_word > most_bytes:
        return None
    kept = _with_frequent(used, model.vocabulary_.counts, int(_MORE_BYTES / a_word))
    words = _rounded(model.words_, kept)
    table = None if model.table_ is None else _half(model.table_[kept])
    rows, topics = np.nonzero(words.codes)
    common = [
        word_projections(words, u.reshape(words.n_topics, words.dim)) for u in model.components_
    ]
    kept_docs = FlatDocs(
        np.searchsorted(kept, docs.ids).astype(np.int32), docs.offsets, docs.n_tokens
    )
    return {
        "names": [model.vocabulary_.words[i] for i in kept.tolist()],
        # A word that is not in the file may be known to the model, so buckets need all words.
        "n_buckets": model.vocabulary_.n_buckets if len(kept) == len(model.vocabulary_) else 0,
        "n_topics": words.n_topics,
        "n_shared": words.n_shared,
        "dim": words.dim,
        "sublinear": words.sublinear,
        "weights": packed(words.weights),
        "vectors": packed(words.vectors.astype(np.float16)) if table is None else None,
        "code_counts": packed(np.bincount(rows, minlength=len(kept)).astype(np.uint16)),
        "code_topics": packed(topics.astype(np.uint16)),
        "code_values": packed(words.codes[rows, topics].astype(np.float16)),
        "n_common": len(common),
        "common": packed(np.array(common, dtype=np.float32)),
        "width": width,
        "first": columns.first if columns else width,
        "table": None if table is None else packed(table.astype(np.float16)),
        "ratio": columns.ratio if columns else 0.0,
        "has_column": packed((columns.columns[kept] >= 0).astype(np.uint8)) if columns else None,
        **_documents(kept_docs, len(kept)),
        **_norms(words, kept_docs, model.components_, table, _columns_of(columns, kept)),
    }


def _rounded(words: WordTopics, kept: np.ndarray) -> WordTopics:
    """Return words as the page reads them; lengths and common parts must use the same numbers."""
    return WordTopics(
        words.weights[kept],
        _half(words.codes[kept]),
        _half(words.vectors[kept]),
        words.counts,
        words.n_shared,
    )


def _half(matrix: FloatMatrix) -> FloatMatrix:
    return matrix.astype(np.float16).astype(np.float32)


def _with_frequent(used: IdVector, counts: np.ndarray, n_more: int) -> np.ndarray:
    others = np.setdiff1d(np.arange(len(counts)), used)
    frequent = others[np.argsort(-counts[others], kind="stable")[:n_more]]
    return np.sort(np.concatenate([used, frequent]))


def _documents(docs: FlatDocs, n_words: int) -> dict[str, Any]:
    """Return the distinct words of each document and their counts, as runs of sorted ids."""
    ids, offsets = docs.ids, np.asarray(docs.offsets)
    starts = np.ones(len(ids), dtype=bool)
    starts[1:] = ids[1:] != ids[:-1]
    starts[offsets[:-1][docs.lengths > 0]] = True
    first = np.flatnonzero(starts)
    counts = np.diff(np.append(first, len(ids)))
    distinct = np.searchsorted(first, offsets)
    kind = np.uint16 if n_words <= 1 << 16 else np.uint32
    return {
        "doc_sizes": packed(np.diff(distinct).astype(np.uint32)),
        "doc_words": packed(ids[first].astype(kind)),
        "doc_counts": packed(np.minimum(counts, 65_535).astype(np.uint16)),
    }


def _columns_of(columns: WordColumns | None, kept: np.ndarray) -> WordColumns | None:
    """Return the columns of the words that are kept."""
    return None if columns is None else replace(columns, columns=columns.columns[kept])


def _norms(
    words: WordTopics,
    docs: FlatDocs,
    components: FloatMatrix,
    table: FloatMatrix | None,
    columns: WordColumns | None,
) -> dict[str, Any]:
    """Return the lengths of the topic part and of the unscaled word part of each document."""
    topics = np.empty(len(docs), dtype=np.float32)
    own = np.empty(len(docs), dtype=np.float32)
    for start in range(0, len(docs), 1_024):
        part = docs.part(start, min(len(docs), start + 1_024))
        here = slice(start, start + len(part))
        rows = (
            words.average(part, components) if table is None else words.average_table(part, table)
        )
        first = rows.shape[1] if columns is None or table is None else columns.first
        topics[here] = np.linalg.norm(rows[:, :first], axis=1)
        if columns is not None and table is None:
            shares = words.shares(part).multiply(columns.columns >= 0)
            own[here] = np.sqrt(np.asarray(shares.multiply(shares).sum(axis=1)).ravel())
        elif columns is not None:
            own[here] = np.linalg.norm(rows[:, first:], axis=1)
    return {"norms": packed(topics), "word_norms": None if columns is None else packed(own)}


def _neighbours(answers: Answers) -> dict[str, Any]:
    """Nearest documents of each: candidates by principal components, ranked by all numbers."""
    rows = answers.collection.sample.rows
    most = _NEIGHBOURS_OF_MANY if len(rows) > _MANY else _NEIGHBOURS
    number = max(0, min(most, len(rows) - 1))
    near = np.zeros((len(rows), number), dtype=np.uint32)
    scores = np.zeros((len(rows), number), dtype=np.float32)
    if number:
        n_candidates = min(_CANDIDATES, len(rows) - 1)
        candidates, _ = nearest_rows(principal(rows), n_candidates)
        candidates = np.where(candidates < 0, candidates[:, :1], candidates)
        size = max(1, _GATHERED // (n_candidates * rows.shape[1]))
        for start in range(0, len(rows), size):
            block = candidates[start : start + size]
            alike = np.einsum("nkd,nd->nk", rows[block], rows[start : start + size])
            best = np.argsort(-alike, axis=1, kind="stable")[:, :number]
            near[start : start + size] = np.take_along_axis(block, best, axis=1)
            scores[start : start + size] = np.take_along_axis(alike, best, axis=1)
    return {"number": number, "rows": packed(near), "scores": packed(scores.astype(np.float16))}
