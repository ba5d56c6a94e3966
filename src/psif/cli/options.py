"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from psif.files.readers.formats import FORMAT_NAMES
from psif.files.readers.options import ReadOptions

F = TypeVar("F", bound=Callable[..., Any])


def input_options(function: F) -> F:
    """Add the inputs and how to read them."""
    for decorate in reversed(
        [
            click.argument("inputs", nargs=-1, required=True, metavar="INPUT..."),
            click.option("--text-column", help="Column with the text [default: text]."),
            click.option("--id-column", help="Column with ids [default: id, or a number]."),
            click.option(
                "--format",
                "format_",
                type=click.Choice(FORMAT_NAMES),
                help="Format of the inputs [default: by their endings; txt for -].",
            ),
            click.option("--encoding", help="Encoding of text files [default: detected]."),
            click.option(
                "--on-error",
                type=click.Choice(["fail", "skip"]),
                default="fail",
                show_default=True,
                help="What to do about a record that cannot be read.",
            ),
        ]
    ):
        function = decorate(function)
    return function


def read_options(options: dict[str, Any]) -> ReadOptions:
    """Take the reading options out of a command's options."""
    return ReadOptions(
        text_column=options.pop("text_column"),
        id_column=options.pop("id_column"),
        on_error=options.pop("on_error"),
        encoding=options.pop("encoding"),
        format=options.pop("format_"),
    )


def json_option(function: F) -> F:
    """Results for machines."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def jobs_option(function: F) -> F:
    """Threads."""
    return click.option(
        "-j", "--jobs", type=click.IntRange(min=-1), help="Threads [default: all cores]."
    )(function)


workers_option = click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Tasks at a time, each in a process of its own with one thread.",
)
