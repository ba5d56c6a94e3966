"""``psif index``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from psif.cli.messages import Messages
from psif.cli.options import input_options, jobs_option, json_option, read_options
from psif.cli.printing import echo, print_json
from psif.cli.standard_streams import read_standard_input
from psif.runtime.visible import visible

if TYPE_CHECKING:
    from psif.search.index import Index

_SWITCHES = {"-v", "-q", "--verbose", "--quiet"}


class _Group(click.Group):
    """``psif index DOCS -o INDEX`` builds; the other commands are named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = next((arg for arg in args if arg not in _SWITCHES), None)
        if first is not None and first not in self.commands and first not in ("-h", "--help"):
            args = ["build", *args]
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "[build] INPUT... -o INDEX [OPTIONS]")


@click.group(name="index", cls=_Group)
def command() -> None:
    """Index documents for `psif search`.

    \b
    Examples:
      psif index my_docs.jsonl -o docs.index
      psif index add docs.index new.csv
      psif index delete docs.index doc-3 doc-7
      psif index info docs.index
      psif index refit docs.index

    `psif index build --help` shows the options of the first. A file that is called like a command
    is written ./add.
    """


def _title_option(function: Any) -> Any:
    return click.option(
        "--title-column", help="Column that is searched with the text [default: title]."
    )(function)


@command.command(name="build")
@input_options
@_title_option
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder of the index."
)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    help="Saved model [default: learn one from the documents].",
)
@click.option(
    "--language",
    default="auto",
    show_default=True,
    help="Language of the documents, for stemming; none: no stemming.",
)
@click.option(
    "--approximate/--exact",
    default=None,
    help="Whether to group neighbours, so that a search looks at few vectors [default: above "
    "1,000,000 documents, with psif[faiss]].",
)
@jobs_option
@json_option
@click.pass_obj
def build(
    messages: Messages, /, inputs: tuple[str, ...], output: Path, as_json: bool, **options: Any
) -> None:
    """Index documents: their words, their vectors, their texts.

    INPUT is one or more of .txt (one document per line), .jsonl, .csv, .tsv or .parquet, each
    also compressed with gzip, a folder of text files, or - for standard input. The other columns
    become metadata, which `psif search` shows and filters by. Numbers in .csv and .tsv files
    become numbers. The index appears when it is complete; an index of that name is replaced.

    \b
    Examples:
      psif index my_docs.jsonl -o docs.index
      psif index reviews.csv --text-column body --id-column key -o reviews.index
    """
    from psif.cli.indexing import Documents, shown_progress
    from psif.cli.reporting import report_reading
    from psif.files.identity import refuse_inputs_as_outputs
    from psif.search.index import Index
    from psif.search.manifest import check_replaceable

    reading = read_options(options)
    # Before the work: an index that could not be saved would be lost.
    check_replaceable(output)
    refuse_inputs_as_outputs([output], inputs)
    documents = Documents(inputs, reading, options["title_column"])
    index = Index.build(
        documents.texts(),
        documents.ids(),
        documents.metadata(),
        options["model"],
        language=options["language"],
        n_jobs=options["jobs"],
        progress=shown_progress(documents, inputs, messages),
        training=messages.steps("learning word vectors"),
        approximate=options["approximate"],
    )
    index.save(output)
    messages.end_line()
    report_reading(documents.report, messages)
    _tell(index, output, messages, as_json)


@command.command(name="add")
@click.argument("index", type=click.Path(path_type=Path))
@input_options
@_title_option
@click.option("--replace", is_flag=True, help="Replace documents that have the same id.")
@jobs_option
@json_option
@click.pass_obj
def add(
    messages: Messages, /, index: Path, inputs: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Add documents to an index; its model stays as it is.

    \b
    Examples:
      psif index add docs.index new.csv
      psif index add docs.index changed.jsonl --replace
    """
    from psif.cli.indexing import Documents, shown_progress
    from psif.cli.reporting import report_reading
    from psif.search.index import Index

    reading = read_options(options)
    loaded = Index.load(index)
    documents = Documents(inputs, reading, options["title_column"], loaded.next_number)
    loaded.add(
        documents.texts(),
        documents.ids(),
        documents.metadata(),
        replace=options["replace"],
        n_jobs=options["jobs"],
        progress=shown_progress(documents, inputs, messages),
    )
    loaded.save(index)
    messages.end_line()
    report_reading(documents.report, messages)
    _tell(loaded, index, messages, as_json)


@command.command(name="delete")
@click.argument("index", type=click.Path(path_type=Path))
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@json_option
@click.pass_obj
def delete(messages: Messages, index: Path, ids: tuple[str, ...], as_json: bool) -> None:
    """Delete documents by their ids; - reads ids from standard input, one per line.

    If one of the ids is unknown, nothing is deleted.

    \b
    Examples:
      psif index delete docs.index doc-3 doc-7
      psif index delete docs.index - < old_ids.txt
    """
    from psif.search.index import Index

    keys = list(ids)
    if keys == ["-"]:
        keys = [line for line in read_standard_input().splitlines() if line]
    loaded = Index.load(index)
    loaded.delete(keys)
    loaded.save(index)
    _tell(loaded, index, messages, as_json)


@command.command(name="info")
@click.argument("index", type=click.Path(path_type=Path))
@json_option
def info(index: Path, as_json: bool) -> None:
    """Print numbers about an index, and whether its model still fits the documents."""
    from psif.search.index import Index

    found = Index.load(index).info()
    if as_json:
        print_json(found.to_dict())
        return
    echo(f"documents    {found.n_docs:,} ({found.n_deleted:,} deleted and not yet removed)")
    echo(f"segments     {found.n_segments}")
    echo(f"size         {found.n_bytes / 1e3:,.0f} kB without the model")
    echo(f"language     {found.language}")
    echo(f"vectors      {found.n_dims} numbers")
    echo(f"model        {found.n_topics} topics, {found.n_model_words:,} words")
    echo(f"metadata     {visible(', '.join(found.fields)) or 'none'}")
    echo(f"unknown      {found.unknown:.1%} of the words of the documents")
    if found.refit_advised:
        echo(f"The model does not fit these documents well: psif index refit {index}")


@command.command(name="refit")
@click.argument("index", type=click.Path(path_type=Path))
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    help="Saved model [default: learn one from the documents].",
)
@jobs_option
@json_option
@click.pass_obj
def refit(
    messages: Messages, index: Path, model: Path | None, jobs: int | None, as_json: bool
) -> None:
    """Learn the model of an index anew from its documents, and embed all of them with it."""
    from psif.search.index import Index

    loaded = Index.load(index)
    loaded.refit(model, n_jobs=jobs, training=messages.steps("learning word vectors"))
    loaded.save(index)
    _tell(loaded, index, messages, as_json)


def _tell(index: Index, path: Path, messages: Messages, as_json: bool) -> None:
    found = index.info()
    if as_json:
        print_json(found.to_dict())
    if found.n_topics:
        how = f"{found.n_dims} numbers per vector, language {found.language}"
    else:
        how = f"exact words only, language {found.language}: too few documents to learn topics from"
    messages.say(f"{path}: {found.n_docs:,} documents, {how}")
    if found.refit_advised and found.n_topics:
        messages.warn(
            f"the model does not know {found.unknown:.0%} of the words; psif index refit {path} "
            "learns it anew"
        )
