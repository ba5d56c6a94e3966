"""``psif export``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from psif.cli.messages import Messages

STORES = (
    "lancedb", "qdrant", "pgvector", "sqlite-vec", "duckdb", "faiss", "usearch",
    "elasticsearch-bulk",
)  # fmt: skip


@click.command(name="export")
@click.argument("vectors", type=click.Path(path_type=Path))
@click.option("--to", required=True, type=click.Choice(STORES), help="Kind of store.")
@click.option(
    "-o", "--output", required=True, help="File, folder or address of the store, as its kind needs."
)
@click.option("--table", default="documents", show_default=True, help="Table or collection.")
@click.option(
    "--texts",
    "inputs",
    multiple=True,
    help="File that was embedded, for texts and other columns; may be repeated.",
)
@click.option("--text-column", help="Column with the text [default: text].")
@click.option("--id-column", help="Column with ids [default: id, or a number].")
@click.option("--resume", is_flag=True, help="Skip documents that the store has.")
@click.option("--replace", is_flag=True, help="Write documents again that the store has.")
@click.option(
    "--batch",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Documents per batch.",
)
@click.pass_obj
def command(messages: Messages, /, vectors: Path, **options: Any) -> None:
    """Write vectors to a vector store or database, with ids, texts and metadata.

    VECTORS is a file that `psif embed` wrote. Documents that the store already has are refused,
    unless --resume skips or --replace overwrites them. At the end the documents are counted and
    some vectors read back and compared.

    \b
    Examples:
      psif export vectors.parquet --to lancedb -o store --texts my_docs.jsonl
      psif export vectors.parquet --to faiss -o vectors.faiss
      psif export vectors.parquet --to pgvector -o postgresql://me@db/texts --resume
    """
    from psif.integrations.stores.base import hidden
    from psif.integrations.stores.export import export
    from psif.integrations.stores.joining import Joined

    if options["resume"] and options["replace"]:
        raise click.UsageError("give --resume or --replace, not both.")
    texts = None
    if options["inputs"]:
        texts = Joined(options["inputs"], options["text_column"], options["id_column"])
    existing = "skip" if options["resume"] else "replace" if options["replace"] else "refuse"
    report = export(
        vectors,
        options["to"],
        options["output"],
        table=options["table"],
        texts=texts,
        existing=existing,
        batch=options["batch"],
        progress=messages.steps("exporting"),
    )
    for note in report.notes:
        messages.say(note)
    known = f" ({report.n_known:,} were there before)" if report.n_known else ""
    messages.say(
        f"{hidden(options['output'])}: {report.n_written:,} vectors written{known}; "
        f"{report.n_checked} read back, lowest cosine {report.lowest:.4f}"
    )
