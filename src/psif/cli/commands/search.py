"""``psif search``."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from psif.cli.messages import Messages
from psif.cli.options import jobs_option, json_option
from psif.cli.printing import echo, print_json, print_rich
from psif.runtime.visible import visible

if TYPE_CHECKING:
    from psif.search.hits import Hit
    from psif.search.index import Index


@click.command(name="search")
@click.argument("index", type=click.Path(path_type=Path))
@click.argument("query", required=False)
@click.option(
    "--queries",
    help="File of queries, one per line, or any other input of psif; - is standard input.",
)
@click.option("--id", "key", help="Find documents like the one with this id.")
@click.option(
    "-n",
    "--number",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Hits per query.",
)
@click.option("--where", help="Condition on the metadata, for example 'year >= 2020'.")
@click.option(
    "--lexical",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Weight of exact words beside topics; 1: BM25 alone, 0: vectors alone.",
)
@click.option("--exact", is_flag=True, help="Miss no hit in an index built with --approximate.")
@click.option("--explain", is_flag=True, help="Split every score over words, topics and pairs.")
@click.option("--trec", metavar="NAME", help="Print a TREC run of this name.")
@jobs_option
@json_option
@click.pass_obj
def command(
    messages: Messages,
    /,
    index: Path,
    query: str | None,
    queries: str | None,
    key: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Print the documents of INDEX that fit QUERY best, with the reason for each.

    INDEX is a folder that `psif index` wrote. A QUERY of - reads queries from standard input, one
    per line. With several queries, --json prints one object per line.

    \b
    Examples:
      psif search docs.index "how to sort a list"
      psif search docs.index "storm" --where 'year >= 2020 and lang == "en"' --json
      psif search docs.index --queries questions.txt --trec my-run > run.txt
    """
    from psif.search.index import Index

    if query == "-":
        query, queries = None, "-"
    if sum(given is not None for given in (query, queries, key)) != 1:
        raise click.UsageError("give one of QUERY, --queries and --id.")
    if options["trec"] is not None and (as_json or options["explain"]):
        raise click.UsageError("--trec prints ids and scores; it has no --json and no --explain.")
    loaded = Index.load(index)
    asked = _asked(loaded, query, queries, key)
    if queries is not None:
        asked = _with_words(asked, messages)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if key is not None:
            found = [
                loaded.similar(
                    key,
                    options["number"],
                    options["where"],
                    lexical=options["lexical"],
                    exact=options["exact"],
                )
            ]
        else:
            found = loaded.search_many(
                [text for _, text in asked],
                options["number"],
                options["where"],
                lexical=options["lexical"],
                exact=options["exact"],
                n_jobs=options["jobs"],
            )
    for warning in caught:
        messages.warn(str(warning.message))
    for (name, text), hits in zip(asked, found, strict=True):
        if options["trec"] is not None:
            _print_trec(name, hits, options["trec"])
        elif as_json:
            rows = [_row(hit, explain=options["explain"]) for hit in hits]
            print_json(rows if queries is None else {"id": name, "query": text, "hits": rows})
        else:
            if queries is not None:
                echo(f"# {visible(name)}: {visible(text[:200])}")
            _print_hits(hits, explain=options["explain"])


def _asked(
    index: Index, query: str | None, queries: str | None, key: str | None
) -> list[tuple[str, str]]:
    """Names and texts of the queries."""
    if key is not None:
        return [("0", index.document(key).text)]
    if queries is None:
        return [("0", str(query))]
    from psif.cli.indexing import Documents
    from psif.files.readers import ReadOptions

    documents = Documents([queries], ReadOptions())
    texts = list(documents.texts())
    return list(zip(documents.ids(), texts, strict=True))


def _with_words(asked: list[tuple[str, str]], messages: Messages) -> list[tuple[str, str]]:
    """Leave out queries without a word: one of them must not stop the others."""
    from psif.search.words import search_words

    kept = [(name, text) for name, text in asked if search_words(text)]
    if len(kept) < len(asked):
        messages.warn(f"{len(asked) - len(kept):,} queries without a word were left out")
    return kept


def _row(hit: Hit, *, explain: bool) -> dict[str, Any]:
    row = {**hit.to_dict(), "text": hit.text, "reason": hit.explanation.reason()}
    return {**row, "explanation": hit.explanation.to_dict()} if explain else row


def _print_hits(hits: list[Hit], *, explain: bool) -> None:
    if not hits:
        echo("no document fits")
    for hit in hits:
        parts = f"words {hit.lexical:+.3f}, topics {hit.dense:+.3f}"
        echo(f"{hit.rank}. {visible(hit.id)}  {hit.score:.3f} = {parts}")
        if explain:
            print_rich(hit.explanation)
            continue
        echo(f"   {' '.join(hit.snippet.split())}")
        echo(f"   why: {hit.explanation.reason()}")
        if hit.metadata:
            shown = ", ".join(f"{name}={value}" for name, value in hit.metadata.items())
            echo(f"   {' '.join(shown[:200].split())}")


def _print_trec(name: str, hits: list[Hit], run: str) -> None:
    from psif.errors import InputError

    for hit in hits:
        for what, text in (("query", name), ("document", hit.id), ("run", run)):
            if len(text.split()) != 1 or text != text.strip():
                raise InputError(
                    f"the name of a {what} has a space: {text!r}. A TREC run is divided at spaces; "
                    "use --json."
                )
        echo(f"{visible(name)} Q0 {visible(hit.id)} {hit.rank} {hit.score:.6f} {run}")
