"""``psif similar``."""

from __future__ import annotations

from pathlib import Path

import click

from psif.cli.messages import Messages
from psif.cli.options import json_option
from psif.cli.printing import echo, print_json, visible
from psif.cli.standard_streams import read_standard_input


@click.command(name="similar")
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("vectors", type=click.Path(path_type=Path))
@click.argument("query", required=False)
@click.option("--id", "key", help="Take the stored document with this id as the query.")
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
    model: Path,
    vectors: Path,
    query: str | None,
    key: str | None,
    number: int,
    as_json: bool,
) -> None:
    """Print the stored documents nearest to QUERY, by cosine.

    VECTORS is a file that `psif embed` wrote with the same MODEL. QUERY is a text, or - to read
    it from standard input. The file is scanned in blocks and never loaded as a whole.

    \b
    Examples:
      psif similar vectors.model vectors.parquet "how to sort a list"
      psif similar vectors.model vectors.parquet --id doc-17 -n 5 --json
    """
    from psif.cli.nearest import nearest, query_vector, stored_vector
    from psif.files.vector_origin import check_origin
    from psif.model.folder import model_checksum

    if (query is None) == (key is None):
        raise click.UsageError("give either QUERY or --id.")
    check_origin(vectors, model_checksum(model), model)
    if key is not None:
        target = stored_vector(vectors, key)
    else:
        text = read_standard_input() if query == "-" else str(query)
        target, known = query_vector(model, text)
        if not known:
            messages.warn("no word of the query has a vector: all similarities are 0")
    found = nearest(vectors, target, number, without=key)
    if as_json:
        print_json([{"id": i, "score": s} for i, s in found])
        return
    for one, score in found:
        echo(f"{score:+.4f}  {visible(one)}")
