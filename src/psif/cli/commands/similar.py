"""``psif similar``."""

from __future__ import annotations

from pathlib import Path

import click

from psif.cli.messages import Messages
from psif.cli.options import DEFAULT_MODEL, json_option
from psif.cli.printing import echo, print_json
from psif.cli.standard_streams import read_standard_input
from psif.files.writers.job import model_beside
from psif.runtime.visible import visible

# Characters of a text that are shown.
_SHOWN = 200


@click.command(name="similar")
@click.argument("arguments", nargs=-1, metavar="[MODEL] VECTORS [QUERY]")
@click.option("--id", "key", help="Take the stored document with this id as the query.")
@click.option("--texts", "inputs", multiple=True, help="File of the texts, to show them.")
@click.option("--text-column", help="Column with the text [default: text].")
@click.option("--id-column", help="Column with ids [default: id, or a number].")
@click.option(
    "-n",
    "--number",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Number of documents.",
)
@json_option
@click.pass_obj
def command(
    messages: Messages,
    arguments: tuple[str, ...],
    key: str | None,
    inputs: tuple[str, ...],
    text_column: str | None,
    id_column: str | None,
    number: int,
    as_json: bool,
) -> None:
    """Print the stored documents nearest to QUERY, by cosine.

    VECTORS is a file that `psif embed` wrote with the same MODEL, or the folder that it wrote with
    --cluster. Without MODEL, the model that `psif embed` saved beside VECTORS is used, or else the
    ready one for English texts. QUERY is a text, or - to read it from standard input. With --texts,
    the file that was embedded, the texts are shown. Files are scanned in blocks and never loaded
    as a whole.

    \b
    Examples:
      psif similar vectors.parquet "how to sort a list"
      psif similar vectors.model vectors.parquet "how to sort a list"
      psif similar vectors.model vectors.parquet --id doc-17 -n 5 --json
      psif similar vectors.model vectors.parquet "sort a list" --texts my_docs.jsonl
    """
    from psif.cli.nearest import nearest, query_vector, stored_vector, texts_of, vector_files
    from psif.files.vector_origin import check_origin
    from psif.model.folder import model_checksum

    model, vectors, query = _named(arguments, with_query=key is None)
    checksum = model_checksum(model)
    for file in vector_files(vectors):
        check_origin(file, checksum, model)
    if key is not None:
        target = stored_vector(vectors, key)
    else:
        text = read_standard_input() if query == "-" else str(query)
        target, known = query_vector(model, text)
        if not known:
            messages.warn("no word of the query has a vector: all similarities are 0")
    found = nearest(vectors, target, number, without=key)
    texts: dict[str, str] = {}
    if inputs:
        from psif.files.readers import ReadOptions, read_documents

        reading = ReadOptions(text_column=text_column, id_column=id_column)
        texts = texts_of(read_documents(inputs, reading), [one for one, _ in found])
    if as_json:
        rows = [{"id": one, "score": score} for one, score in found]
        print_json([{**row, "text": texts.get(str(row["id"]))} if inputs else row for row in rows])
        return
    for one, score in found:
        shown = " ".join(texts.get(one, "").split())
        echo(f"{score:+.4f}  {visible(one)}")
        if inputs:
            echo(f"         {visible(shown[:_SHOWN])}{'…' if len(shown) > _SHOWN else ''}")


def _named(arguments: tuple[str, ...], *, with_query: bool) -> tuple[Path, Path, str | None]:
    """Tell MODEL, VECTORS and QUERY apart; the first, a folder or a name, may be left out."""
    n_rest = 1 + with_query
    given = len(arguments) > n_rest or _is_model(arguments)
    rest = arguments[given:]
    if len(rest) != n_rest:
        raise click.UsageError("give either QUERY or --id, after VECTORS.")
    vectors, query = Path(rest[0]), rest[1] if with_query else None
    if given:
        return Path(arguments[0]), vectors, query
    beside = model_beside(vectors)
    return beside if beside.is_dir() else Path(DEFAULT_MODEL), vectors, query


def _is_model(arguments: tuple[str, ...]) -> bool:
    return bool(arguments) and Path(arguments[0], "config.json").is_file()
