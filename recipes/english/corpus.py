"""The corpus: sentences of all sources, without those of evaluation pairs, in a fixed order."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from recipes.english import sources

# Kinds that teach general English come early: the teacher may not get to the end.
WEIGHTS = {
    "wordnet": 1.0, "entry": 0.2, "gcide": 0.15, "fortune": 1.0,
    "news": 2.5, "informal": 2.0, "speech": 0.6, "novel": 0.4,
    "productdocs": 0.4, "abstract": 0.3, "webdocs": 0.3, "apidocs": 0.2,
}  # fmt: skip
_WORDS = (4, 18)  # per sentence
_LEAST_LETTERS = 0.8  # share of letters and spaces


def plain(text: str) -> str:
    """Return a sentence without case and punctuation, to find it again."""
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def evaluation_sentences(data: Path) -> set[str]:
    """Return the sentences of STS 2012 to 2016, STS Benchmark, SICK and PIT-2015."""
    found = set()
    for name in ("sts", "stsb", "sick", "pit2015"):
        for path in sorted((data / name).rglob("*.jsonl.gz")):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    pair = json.loads(line)
                    found |= {plain(pair["text_a"]), plain(pair["text_b"])}
    return found


def read_sources(folder: Path, also: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield kind and sentence of every source."""
    wordnet = folder / "package" / "dict"
    yield from (("wordnet", text) for text in sources.wordnet(wordnet))
    yield from (("entry", text) for text in sources.wordnet_entries(wordnet))
    share = folder / "usr" / "share"
    yield from (("gcide", text) for text in sources.gcide(share / "dictd" / "gcide.dict.dz"))
    yield from (("fortune", text) for text in sources.fortunes(share / "games" / "fortunes"))
    for path in also:
        yield from sources.table(path)


def build(
    read: Iterable[tuple[str, str]], without: set[str]
) -> tuple[list[tuple[str, str]], Counter[str], Counter[str]]:
    """Return the sentences in order, how many there are of each kind, and how many were removed.

    The order is random, but a kind of weight 2 comes twice as early as one of weight 1: the key of
    a sentence is :math:`u^{1/w}`, with u a hash of the sentence between 0 and 1.
    """
    seen: set[str] = set()
    kept, counts, removed = [], Counter[str](), Counter[str]()
    for kind, text in read:
        sentence = " ".join(text.split())
        key = plain(sentence)
        letters = sum(char.isalpha() or char == " " for char in sentence)
        if not _WORDS[0] <= len(sentence.split()) <= _WORDS[1] or key in seen:
            continue
        if letters < _LEAST_LETTERS * len(sentence):
            continue
        if key in without:
            removed[kind] += 1
            continue
        seen.add(key)
        counts[kind] += 1
        digest = hashlib.blake2b(sentence.encode(), digest_size=6).hexdigest()
        share = (int(digest, 16) + 1) / 2**48
        kept.append((-(share ** (1 / WEIGHTS[kind])), kind, sentence))
    kept.sort()
    return [(kind, sentence) for _, kind, sentence in kept], counts, removed


def write(path: Path, rows: Iterable[tuple[str, str]]) -> None:
    """Write one ``kind<TAB>sentence`` per line, the same bytes for the same rows."""
    with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file:
        for kind, sentence in rows:
            file.write(f"{kind}\t{sentence}\n".encode())
