"""``psif vectors``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from psif.cli.messages import Messages
from psif.cli.options import input_options, jobs_option, json_option, read_options
from psif.cli.printing import echo, print_json
from psif.errors import InputError, MissingExtraError


@click.group(name="vectors")
def command() -> None:
    """List, inspect, convert, train and distil word vectors.

    \b
    Examples:
      psif vectors list
      psif vectors convert glove.6B.100d.txt glove --top 100000
      psif vectors train articles.jsonl -o articles.vectors --method ppmi
      psif vectors distill all-MiniLM-L6-v2/ -o minilm.vectors --words words.txt
      psif vectors distill all-MiniLM-L6-v2/ -o trained.vectors --sentences news.txt --cache c
    """


@command.command(name="list")
@json_option
def list_vectors(as_json: bool) -> None:
    """Print the trainers, and the tables in the folder that PSIF_VECTORS names."""
    from psif.vectors.trainers import TRAINERS

    root = os.environ.get("PSIF_VECTORS")
    folders = sorted(Path(root).iterdir()) if root and Path(root).is_dir() else []
    tables = [str(folder) for folder in folders if folder.is_dir()]
    if as_json:
        print_json({"trainers": list(TRAINERS), "tables": tables})
        return
    echo(f"trainers: {', '.join(TRAINERS)}")
    for table in tables:
        echo(table)


@command.command(name="info")
@click.argument("path")
@json_option
def info(path: str, as_json: bool) -> None:
    """Print the size of a table and its first words."""
    from psif.vectors.table import WordVectors

    table = WordVectors.load(path)
    facts = {"words": len(table), "dimensions": table.dim, "first": table.words[:10]}
    if as_json:
        print_json(facts)
    else:
        echo(f"{len(table):,} words, {table.dim} dimensions: {' '.join(table.words[:10])}")


@command.command(name="convert")
@click.argument("source")
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--top", type=click.IntRange(min=1), help="Only the first words of the file.")
@click.pass_obj
def convert(messages: Messages, source: str, target: Path, top: int | None) -> None:
    """Turn any readable table into a folder that loads in milliseconds."""
    from psif.vectors.readers.folder import check_replaceable
    from psif.vectors.table import WordVectors

    if target.exists() and Path(source).exists() and target.samefile(source):
        raise InputError(f"{target} is the table to convert; write to another folder.")
    check_replaceable(target)
    table = WordVectors.load(source, top_n=top)
    table.save(target)
    messages.say(f"{target}: {len(table):,} words, {table.dim} dimensions")


@command.command(name="train")
@input_options
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder.")
@click.option("--method", default="ppmi", show_default=True, help="ppmi, sgns or doc2vecc.")
@click.option("--dim", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--min-count", type=click.IntRange(min=1), default=5, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@jobs_option
@click.pass_obj
def train(messages: Messages, /, inputs: tuple[str, ...], output: Path, **options: Any) -> None:
    """Train word vectors on documents."""
    from psif.cli.reporting import report_reading
    from psif.files.readers import ReadReport, read_documents
    from psif.vectors.readers.folder import check_replaceable
    from psif.vectors.table import WordVectors

    check_replaceable(output)
    report = ReadReport()
    documents = read_documents(inputs, read_options(options), report)
    table = WordVectors.train(
        (document.text for document in documents),
        options["method"],
        dim=options["dim"],
        min_count=options["min_count"],
        random_state=options["seed"],
        n_jobs=options["jobs"],
        progress=messages.steps(f"training ({options['method']})"),
    )
    table.save(output)
    report_reading(report, messages)
    messages.say(f"{output}: {len(table):,} words, {table.dim} dimensions")


@command.command(name="distill")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder.")
@click.option(
    "--words",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File with one word per line [default: the 60,000 most frequent of --language].",
)
@click.option("--language", default="en", show_default=True, help="Of the default words.")
@click.option("--dim", type=click.IntRange(min=1), default=300, show_default=True)
@click.option(
    "--sentences",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File with one sentence per line; words are trained so that they predict the encoder's "
    "vectors of the sentences.",
)
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for vectors of sentences: a stopped run continues from there "
    "[default: OUTPUT.sentences, removed at the end].",
)
@click.pass_obj
def distill(
    messages: Messages, /, model: Path, output: Path, words: Path | None, **options: Any
) -> None:
    """Turn a sentence-transformers folder into a table of word vectors.

    Without --sentences each word is encoded alone. With them, words are trained as well.

    \b
    Examples:
      psif vectors distill all-MiniLM-L6-v2/ -o minilm.vectors --words words.txt
      psif vectors distill all-MiniLM-L6-v2/ -o trained.vectors --sentences news.txt
    """
    from psif.vectors.distill import distill as distill_words
    from psif.vectors.readers.folder import check_replaceable
    from psif.vectors.sentence_cache import check_cache, remove_cache

    check_replaceable(output)
    sentences = options["sentences"]
    cache = options["cache"] or output.with_name(f"{output.name}.sentences")
    if sentences is not None and options["cache"] is None:
        check_cache(cache)
    chosen = frequent_words(options["language"]) if words is None else read_words(words)
    table = distill_words(
        model,
        chosen,
        dim=options["dim"],
        sentences=None if sentences is None else read_words(sentences, "sentence"),
        cache=None if sentences is None else cache,
        progress=messages.steps("encoding"),
    )
    table.save(output)
    if sentences is not None and options["cache"] is None:
        remove_cache(cache)
    messages.say(f"{output}: {len(table):,} words, {table.dim} dimensions")


def read_words(path: Path, what: str = "word") -> list[str]:
    """Read a file with one word, or one of ``what``, per line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a UTF-8 text file with one {what} per line.") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}.") from error
    return [line.strip() for line in lines if line.strip()]


def frequent_words(language: str, n: int = 60_000) -> list[str]:
    """Return the most frequent words of a language."""
    try:
        from wordfreq import top_n_list
    except ImportError as error:
        raise MissingExtraError("wordfreq", "frequencies", "a list of frequent words") from error
    try:
        words: list[str] = top_n_list(language, n)
    except LookupError as error:
        raise InputError(f"wordfreq has no words for the language {language!r}.") from error
    return words
