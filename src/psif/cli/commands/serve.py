"""``psif serve``."""

from __future__ import annotations

from typing import Any

import click

from psif.cli.messages import Messages
from psif.cli.printing import echo
from psif.errors import MissingExtraError


@click.command(name="serve")
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port; 0 takes a free one.",
)
@click.option(
    "--api-key",
    envvar="PSIF_API_KEY",
    help="Key that clients must send; needed for other hosts than this one. Better given as the "
    "environment variable PSIF_API_KEY: everybody on a machine can read command lines.",
)
@click.option(
    "--max-texts",
    type=click.IntRange(min=1),
    default=2048,
    show_default=True,
    help="Texts per request.",
)
@click.option(
    "--max-body",
    type=click.IntRange(min=1),
    default=8,
    show_default=True,
    help="Megabytes per request.",
)
@click.option(
    "--max-waiting",
    type=click.IntRange(min=1),
    default=8192,
    show_default=True,
    help="Texts that may wait; requests beyond that get status 429.",
)
@click.pass_obj
def command(messages: Messages, /, models: tuple[str, ...], **options: Any) -> None:
    """Answer requests for vectors over HTTP, as OpenAI's embeddings API does.

    MODEL is the folder of a model, of an index or of a classifier, or NAME=FOLDER. Any client of
    OpenAI's API can use the server: give it the printed address as its base URL. Ctrl-C or SIGTERM
    stops the server after the requests at hand are answered. With -v each request is logged,
    without its texts.

    \b
    Examples:
      psif serve vectors.model
      psif serve news=news.model tickets=tickets.clf docs.index --port 8080
    """
    try:
        import httptools  # noqa: F401
        import prometheus_client  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(error.name or "uvicorn", "serve", "psif serve") from error

    from psif.serve.application import Application
    from psif.serve.limits import Limits
    from psif.serve.served import open_served
    from psif.serve.server import check_exposure, listen, serve

    key, host = options["api_key"], options["host"]
    check_exposure(host, key)
    limits = Limits(
        body=options["max_body"] << 20,
        texts=options["max_texts"],
        waiting=options["max_waiting"],
    )
    application = Application([open_served(model) for model in models], limits)
    with listen(host, options["port"]) as listener:

        def ready(address: str) -> None:
            echo(f"{address}/v1")
            messages.say("Ctrl-C stops it")

        serve(
            application,
            listener,
            key=key,
            log=messages.note if messages.level >= 2 else None,
            report=messages.warn,
            ready=ready,
        )
    messages.say("stopped; every request was answered")
