"""``psif demo``."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from psif.cli.messages import Messages
from psif.cli.printing import echo
from psif.errors import InputError
from psif.files.parquet_library import has_pyarrow
from psif.runtime.atomic import atomic_path

if TYPE_CHECKING:
    from psif.model.embedder import Embedder
    from psif.types import FloatMatrix

_QUERIES = ("gzip.open", "json.dumps", "str.upper", "statistics.median", "socket.create_connection")
_TEXT_QUERY = "wait until several threads have finished"
_PAIR = ("gzip.open", "lzma.open")
_FILES = (
    "docstrings.jsonl",
    "vectors.parquet",
    "vectors.npy",
    "vectors.npy.ids.jsonl",
    "vectors.model",
    "map.html",
)
_MARKER = ".psif-demo"  # a folder with it may be written to again


@click.command(name="demo")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo-output"),
    show_default=True,
    help="Folder for the model, the vectors and the page.",
)
@click.pass_obj
def command(messages: Messages, output: Path) -> None:
    """Embed the documentation strings of Python's standard library and look at the result.

    \b
    Example:
      psif demo
    """
    import warnings

    from psif.errors import PsifWarning
    from psif.model.embedder import Embedder

    began = time.monotonic()
    _make_folder(output)
    messages.say("reading the documentation strings of the standard library")
    source = output / "docstrings.jsonl"
    docs = _write_corpus(source)
    ending = "parquet" if has_pyarrow() else "npy"
    target = output / f"vectors.{ending}"
    _embed(source, target, messages)
    model = Embedder.load(output / "vectors.model")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PsifWarning)
        vectors = _print_speed(model, docs)
        _print_topics(model)
        _print_neighbours(model, docs, vectors)
        _print_explanation(model, docs)
        _write_page(model, docs, target, messages)
    _print_ending(output, target.name, time.monotonic() - began)


def _make_folder(folder: Path) -> None:
    """Make the folder; raise if it holds files of others that have the names of ours."""
    marker = folder / _MARKER
    foreign = [] if marker.exists() else [name for name in _FILES if (folder / name).exists()]
    if foreign:
        raise InputError(
            f"{folder} has files that psif demo did not write ({', '.join(foreign)}); they would "
            "be lost. Give another folder with -o, or move them away."
        )
    folder.mkdir(parents=True, exist_ok=True)
    marker.touch()


def _write_corpus(path: Path) -> dict[str, str]:
    from psif.files.standard_library import docstrings

    docs = docstrings()
    with atomic_path(path) as part, part.open("w", encoding="utf-8") as file:
        for name, text in docs.items():
            file.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")
    return docs


def _embed(source: Path, target: Path, messages: Messages) -> None:
    """Do exactly what ``psif embed`` does."""
    from psif.cli.embedding import EmbedRun
    from psif.cli.fitting import FitPlan
    from psif.files.readers import ReadOptions

    plan = FitPlan([str(source)], ReadOptions(), None, {"random_state": 0}, fit_limit=0)
    EmbedRun(plan, target, "float32", None, None, None, messages)(resume=False)


def _print_speed(model: Embedder, docs: dict[str, str]) -> FloatMatrix:
    texts = list(docs.values())
    began = time.monotonic()
    vectors: FloatMatrix = model.transform(texts)
    seconds = time.monotonic() - began
    n_words = sum(len(text.split()) for text in texts)
    echo(
        f"\n{len(texts):,} documents, {n_words:,} words, coverage {model.coverage_:.1%}; "
        f"embedding alone: {len(texts) / seconds:,.0f} documents/s"
    )
    return vectors


def _print_topics(model: Embedder) -> None:
    echo("\nThe ten largest topics")
    for topic in sorted(model.topics(n_words=8), key=lambda topic: -topic.share)[:10]:
        echo(f"  {topic.share:5.1%}  {' '.join(topic.words)}")


def _print_neighbours(model: Embedder, docs: dict[str, str], vectors: FloatMatrix) -> None:
    from psif.cli.nearest import best_rows

    names = list(docs)
    echo("\nNearest neighbours")
    for name in _QUERIES:
        if name in docs:
            found = best_rows(names, vectors, vectors[names.index(name)], 4, without=name)
            echo(f"  {name:<26}{', '.join(key for key, _ in found)}")
    target = model.transform([_TEXT_QUERY])[0]
    echo(f'\nNearest to the words "{_TEXT_QUERY}"')
    for key, score in best_rows(names, vectors, target, 4):
        echo(f"  {score:+.2f}  {key}: {docs[key].splitlines()[0][:70]}")


def _print_explanation(model: Embedder, docs: dict[str, str]) -> None:
    if any(name not in docs for name in _PAIR):
        return
    explanation = model.explain(*(docs[name] for name in _PAIR))
    echo(f"\nWhy {_PAIR[0]} and {_PAIR[1]} are alike: cosine {explanation.score:.3f}, of which")
    for topic in explanation.topics[:3]:
        echo(f"  {topic.share:+.3f}  {topic.label}: {' '.join(topic.words)}")
    rest = explanation.score - sum(topic.share for topic in explanation.topics[:3])
    echo(f"  {rest:+.3f}  other topics")
    pairs = ", ".join(f"{pair.a}~{pair.b} {pair.share:+.3f}" for pair in explanation.pairs[:5])
    echo(f"  strongest word pairs: {pairs}")


def _write_page(model: Embedder, docs: dict[str, str], target: Path, messages: Messages) -> None:
    from psif.cli.commands.explore import lay_out, write_page
    from psif.explorer.answers import Answers
    from psif.explorer.collection import load_collection

    messages.say("\ndrawing the map")
    collection = load_collection(
        model,
        target,
        docs.items(),
        title="A map of the Python standard library",
    )
    answers = Answers(collection)
    lay_out(answers, messages)
    write_page(answers, target.with_name("map.html"))


def _print_ending(output: Path, vectors: str, seconds: float) -> None:
    space = " " * (len("docstrings.jsonl  ") - len(vectors))
    echo(
        f"""
Written in {seconds:.0f} s:
  {output / "map.html"}          the documents on a page to explore: open it in a browser
  {output / vectors}{space}the vectors
  {output / "vectors.model"}     the model
  {output / "docstrings.jsonl"}  the documents

Try your own files:
  psif embed my_docs.jsonl -o {vectors:<20}(.txt .csv .tsv .parquet and folders too)
  psif topics vectors.model
  psif similar vectors.model {vectors} "some words"
  psif explore vectors.model {vectors} --texts my_docs.jsonl
"""
    )
