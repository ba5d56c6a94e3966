"""``psif explore``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from psif.cli.messages import Messages
from psif.cli.printing import echo

if TYPE_CHECKING:
    from psif.explorer.answers import Answers


@click.command(name="explore")
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("vectors", type=click.Path(path_type=Path))
@click.option("--texts", "inputs", multiple=True, help="File of the texts; may be repeated.")
@click.option("--text-column", help="Column with the text [default: text].")
@click.option("--id-column", help="Column with ids [default: id, or a number].")
@click.option("--title", help="Title of the page [default: after the file].")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    help="Documents to show; of more, a random sample [default: 1000000; exported: 100000].",
)
@click.option("--export", type=click.Path(dir_okay=False, path_type=Path), help="Write one file.")
@click.option("--small", is_flag=True, help="Leave word vectors out of the file.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port [default: free one].")
@click.option("--open/--no-open", "open_", default=True, help="Open the page in a browser.")
@click.pass_obj
def command(messages: Messages, /, model: Path, vectors: Path, **options: Any) -> None:
    """Look at documents on a map; see their topics, and why two are alike.

    VECTORS is a file that `psif embed` wrote with MODEL. With --texts, the file that was embedded,
    documents can be read and compared. The page is served on this machine alone, at an address
    that cannot be guessed, and asks nothing of the network; Ctrl-C ends it.

    \b
    Examples:
      psif explore vectors.model vectors.parquet --texts my_docs.jsonl
      psif explore vectors.model vectors.parquet --texts my_docs.jsonl --export page.html
    """
    export, small, open_ = options["export"], options["small"], options["open_"]
    if small and export is None:
        raise click.UsageError("--small goes with --export.")
    if export is not None:
        from psif.files.identity import refuse_inputs_as_outputs

        refuse_inputs_as_outputs(
            [export], [vectors, *options["inputs"]], "--export", models=[model]
        )
    answers = _answers(messages, model, vectors, options)
    lay_out(answers, messages)
    if export is not None:
        write_page(answers, export, small=small)
        messages.say(f"wrote {export} ({export.stat().st_size / 1e6:.1f} MB)")
        return
    _serve(messages, answers, options["host"], options["port"], open_=open_)


def lay_out(answers: Answers, messages: Messages) -> None:
    """Place the documents on the map and show the progress."""
    show = messages.steps("laying out the map")
    places = answers.collection.lay_out(lambda part: show(round(1000 * part), 1000))
    messages.note(f"map: {places.method}")


def write_page(answers: Answers, path: Path, *, small: bool = False) -> None:
    """Write the page as one file, whole or not at all."""
    from psif.explorer.assets import single_page
    from psif.explorer.offline import offline_data
    from psif.runtime.atomic import atomic_path

    page = single_page(offline_data(answers, with_words=not small))
    with atomic_path(path) as part:
        part.write_bytes(page)


def _answers(messages: Messages, model: Path, vectors: Path, options: dict[str, Any]) -> Answers:
    from psif.explorer.answers import Answers
    from psif.explorer.collection import MOST_DOCUMENTS, MOST_SERVED, load_collection
    from psif.explorer.columns import Fields
    from psif.files.readers import ReadOptions, read_documents
    from psif.files.vector_origin import check_origin
    from psif.model.embedder import Embedder

    documents, fields = None, Fields()
    if options["inputs"]:
        reading = ReadOptions(
            text_column=options["text_column"],
            id_column=options["id_column"],
            other_columns=fields,
        )
        documents = read_documents(options["inputs"], reading)
    loaded = Embedder.load(model)
    check_origin(vectors, loaded.checksum_, model)
    collection = load_collection(
        loaded,
        vectors,
        documents,
        fields=fields,
        title=options["title"] or title_of(options["inputs"] or [str(vectors)]),
        most=options["most"] or (MOST_DOCUMENTS if options["export"] else MOST_SERVED),
    )
    for note in collection.notes:
        messages.warn(note)
    return Answers(collection)


def title_of(files: Sequence[str]) -> str:
    """Make a title of the name of a file: ``my_docs.jsonl.gz`` becomes "My docs".

    >>> title_of(["data/support-tickets_2024.csv"])
    'Support tickets 2024'
    >>> title_of(["-"])
    'Documents'
    """
    name = Path(files[0]).name.lstrip(".-").split(".")[0]
    words = " ".join(name.replace("_", " ").replace("-", " ").split())
    return words[:1].upper() + words[1:] if words else "Documents"


def _serve(messages: Messages, answers: Answers, host: str, port: int, *, open_: bool) -> None:
    import webbrowser
    from threading import Thread

    from psif.explorer.server import ExplorerServer
    from psif.runtime.loopback import is_loopback

    with ExplorerServer(answers, host, port) as server:
        if not is_loopback(host):
            messages.warn(f"serving on {host}: whoever knows the address can read the documents")
        echo(server.url)
        messages.say("Ctrl-C ends it")
        if open_:
            # Command lines are for everybody to read. A browser in the terminal comes back when it
            # is closed, and needs the server until then.
            Thread(target=webbrowser.open, args=(server.one_time_url(),), daemon=True).start()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            messages.say("ended")
