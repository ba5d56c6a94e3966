"""Near-duplicates: precision and recall on known edits, and the time for a million documents.

``python -m benchmarks.duplicates quality`` edits real documents (up to a fifth of the words:
inserted, deleted, replaced, moved, cut off at the end, quoted in a reply) and looks for the copies
with psif, with MinHash alone (rensa) and with semhash over a static table of word vectors. The
thresholds of the peers are the best on Amazon's training documents; psif has its default.

``python -m benchmarks.duplicates speed --documents 1000000`` makes documents of real sentences,
five per cent of them edited copies, and measures seconds, processor seconds and memory.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from psif.text.tokenizer import Tokenizer

Pairs = set[tuple[int, int]]
EDITS = ("insert", "delete", "replace", "move", "truncate", "quote")
CORPORA = (
    ("amazon", "train"),  # thresholds of the peers are chosen here
    ("amazon", "test"),
    ("20news_bydate", "test"),
    ("ohsumed10", "test"),
    ("reuters_r8", "test"),
)
_TOKENIZE = Tokenizer("unicode")


def edit(
    words: list[str], kind: str, share: float, rng: np.random.Generator, pool: list[str]
) -> list[str]:
    """Change a share of the words of a document."""
    n = int(share * len(words))
    fresh = [pool[i] for i in rng.integers(len(pool), size=n)]
    if kind == "delete":
        return [words[i] for i in sorted(rng.permutation(len(words))[n:].tolist())]
    if kind == "truncate":
        return words[: len(words) - n]
    if kind == "quote":
        return [*fresh, *words]
    edited = list(words)
    if kind == "insert":
        for word in fresh:
            edited.insert(int(rng.integers(len(edited) + 1)), word)
    elif kind == "replace":
        for place, word in zip(rng.permutation(len(words))[:n].tolist(), fresh, strict=True):
            edited[place] = word
    elif kind == "move":
        start = int(rng.integers(len(words) - n + 1))
        block, edited = edited[start : start + n], edited[:start] + edited[start + n :]
        place = int(rng.integers(len(edited) + 1))
        edited[place:place] = block
    return edited


def texts_of(data: Path, name: str, part: str) -> list[str]:
    with gzip.open(data / name / f"{part}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line)["text"] for line in file]


def edited_set(data: Path, name: str, part: str, n_docs: int) -> tuple[list[str], Pairs]:
    """Return documents and edited copies of half of them, and the pairs to find.

    The documents have no copies of their own: one that shares a third of its sequences of three
    words with another one, by an exact count, is left out.
    """
    rng = np.random.default_rng(0)
    texts = list(dict.fromkeys(texts_of(data, name, part)))
    texts = [texts[i] for i in rng.permutation(len(texts))[: 2 * n_docs].tolist()]
    docs = [words for text in texts if len(words := _TOKENIZE(text)) >= 10]
    docs = _without_copies(docs)[:n_docs]
    pool = [word for words in docs for word in words]
    made: Pairs = set()
    all_docs = list(docs)
    for i in range(0, len(docs), 2):
        kind = EDITS[(i // 2) % len(EDITS)]
        made.add((i, len(all_docs)))
        all_docs.append(edit(docs[i], kind, float(rng.uniform(0.05, 0.2)), rng, pool))
    return [" ".join(words) for words in all_docs], made


def _without_copies(docs: list[list[str]]) -> list[list[str]]:
    from collections import Counter

    shingles = [set(zip(d, d[1:], d[2:], strict=False)) for d in docs]
    where: dict[tuple[str, str, str], list[int]] = {}
    kept = []
    for i, mine in enumerate(shingles):
        shared = Counter(j for shingle in mine for j in where.get(shingle, ()))
        if all(n < min(len(mine), len(shingles[j])) / 3 for j, n in shared.items()):
            kept.append(i)
        for shingle in mine:
            where.setdefault(shingle, []).append(i)
    return [docs[i] for i in kept]


def in_pairs(groups: list[list[int]]) -> Pairs:
    return {(a, b) for group in groups for i, a in enumerate(group) for b in group[i + 1 :]}


# Methods: texts and a threshold to pairs


def by_psif(texts: list[str], threshold: float) -> Pairs:
    from psif import find_duplicates

    return in_pairs(find_duplicates(texts, threshold))


def by_minhash(n_words: int) -> Callable[[list[str], float], Pairs]:
    """MinHash alone: 128 permutations of the sequences of so many words, 32 bands."""

    def find(texts: list[str], threshold: float) -> Pairs:
        from rensa import RMinHash, RMinHashLSH

        index = RMinHashLSH(threshold, 128, 32)
        hashes = []
        for position, text in enumerate(texts):
            words = text.split()
            parts = [" ".join(words[i : i + n_words]) for i in range(len(words) - n_words + 1)]
            one = RMinHash(128, 42)
            one.update(parts or words)
            index.insert(position, one)
            hashes.append(one)
        return {
            (other, position)
            for position, one in enumerate(hashes)
            for other in index.query(one)
            if other < position and one.jaccard(hashes[other]) >= threshold
        }

    return find


class StaticTable:
    """Means of word vectors, as model2vec makes them; semhash takes any encoder."""

    def __init__(self, folder: Path) -> None:
        from psif import WordVectors

        vectors = WordVectors.load(folder)
        self._rows = {word: i for i, word in enumerate(vectors.words)}
        self._matrix = vectors.matrix

    def encode(self, inputs: Any, **kwargs: Any) -> np.ndarray:
        """Return one vector per text."""
        sentences = list(inputs)
        out = np.zeros((len(sentences), self._matrix.shape[1]), dtype=np.float32)
        for i, text in enumerate(sentences):
            rows = [self._rows[word] for word in text.split() if word in self._rows]
            if rows:
                out[i] = self._matrix[rows].mean(axis=0)
        return out


def by_semhash(vectors: Path) -> Callable[[list[str], float], Pairs]:
    encoder = StaticTable(vectors)

    def find(texts: list[str], threshold: float) -> Pairs:
        from semhash import SemHash

        records = [{"text": text, "id": str(i)} for i, text in enumerate(texts)]
        index = SemHash.from_records(records, columns=["text"], model=encoder)
        result = index.self_deduplicate(threshold=threshold)
        return {
            (min(pair), max(pair))
            for one in result.filtered
            if (pair := (int(one.record["id"]), int(one.duplicate_of["id"])))
        }

    return find


def scores(found: Pairs, made: Pairs) -> tuple[float, float]:
    hits = len(found & made)
    return hits / max(1, len(found)), hits / len(made)


def quality(data: Path, vectors: Path, n_docs: int) -> Iterator[dict[str, Any]]:
    """Yield precision and recall of each method on each corpus."""
    grid = [0.3, 0.4, 0.5, 0.6, 0.7]
    methods: list[tuple[str, Callable[[list[str], float], Pairs], list[float]]] = [
        ("psif", by_psif, [0.9]),
        ("minhash, words", by_minhash(1), grid),
        ("minhash, three words", by_minhash(3), [0.1, 0.15, 0.2, 0.3, 0.4, 0.5]),
        ("semhash", by_semhash(vectors), [0.85, 0.9, 0.95, 0.97, 0.98, 0.99]),
    ]
    sets = {corpus: edited_set(data, *corpus, n_docs) for corpus in CORPORA}
    for method, find, thresholds in methods:

        def f1(threshold: float, find: Callable[[list[str], float], Pairs] = find) -> float:
            precision, recall = scores(find(sets[CORPORA[0]][0], threshold), sets[CORPORA[0]][1])
            return 2 * precision * recall / max(1e-9, precision + recall)

        best = thresholds[0] if len(thresholds) == 1 else max(thresholds, key=f1)
        for (name, part), (texts, made) in sets.items():
            began = time.process_time()
            precision, recall = scores(find(texts, best), made)
            yield {
                "method": method, "threshold": best, "corpus": name, "part": part,
                "documents": len(texts), "copies": len(made),
                "precision": round(precision, 4), "recall": round(recall, 4),
                "cpu_seconds": round(time.process_time() - began, 2),
            }  # fmt: skip


def made_texts(data: Path, n_docs: int) -> Iterator[str]:
    """Yield documents of four real sentences, a twentieth of them edited copies of others."""
    rng = np.random.default_rng(0)
    words = [_TOKENIZE(text) for text in texts_of(data, "20news_bydate", "train")]
    sentences = [d[i : i + 25] for d in words for i in range(0, len(d) - 24, 25)]
    pool = [word for sentence in sentences[:20_000] for word in sentence]
    before: list[list[str]] = []
    for number in range(n_docs):
        if number % 20 == 19:
            source = before[int(rng.integers(len(before)))]
            yield " ".join(edit(source, EDITS[number // 20 % 6], 0.15, rng, pool))
            continue
        chosen = rng.integers(len(sentences), size=4).tolist()
        document = [word for i in chosen for word in sentences[i]]
        if len(before) < 10_000:
            before.append(document)
        yield " ".join(document)


def speed(data: Path, n_docs: int) -> dict[str, Any]:
    """Find the copies among made documents once."""
    from psif import find_duplicates

    texts = list(made_texts(data, n_docs))
    find_duplicates(texts[:100])  # compiled code is loaded
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began, cpu = time.monotonic(), time.process_time()
    groups = find_duplicates(texts)
    return {
        "documents": n_docs,
        "words": sum(text.count(" ") + 1 for text in texts),
        "groups": len(groups),
        "dropped": sum(len(group) - 1 for group in groups),
        "seconds": round(time.monotonic() - began, 1),
        "cpu_seconds": round(time.process_time() - cpu, 1),
        "megabytes_more": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base) // 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["quality", "speed"])
    parser.add_argument("--documents", type=int, default=3000)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PSIF_DATA", ".")))
    parser.add_argument(
        "--vectors",
        type=Path,
        default=Path(os.environ.get("PSIF_VECTORS", ".")) / "minilm-words-300d",
    )
    options = parser.parse_args()
    if options.what == "speed":
        print(json.dumps(speed(options.data, options.documents)))
        return
    for row in quality(options.data, options.vectors, options.documents):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
