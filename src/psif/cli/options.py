"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from psif.cli.messages import Messages
from psif.files.readers.formats import FORMAT_NAMES
from psif.files.readers.options import ReadOptions

F = TypeVar("F", bound=Callable[..., Any])

# The model of commands that were given none.
DEFAULT_MODEL = "english"

VERBOSITY = ["-v/-q", "--verbose/--quiet"]
VERBOSITY_HELP = "Say more about what is done, or nothing but results and errors."


def input_options(function: F) -> F:
    """Add the inputs, and options of reading them."""
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
                help="What to do with a record that cannot be read.",
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


def add_verbosity(command: click.Command) -> None:
    """Let a command, and the commands below it, take -v and -q after their names."""
    if isinstance(command, click.Group):
        for below in command.commands.values():
            add_verbosity(below)
    if not any({"-v", "-q"}.intersection(parameter.opts) for parameter in command.params):
        option = click.Option(
            VERBOSITY, default=None, expose_value=False, callback=_set_level, help=VERBOSITY_HELP
        )
        command.params.append(option)


def _set_level(ctx: click.Context, parameter: click.Parameter, verbose: bool | None) -> None:
    messages = ctx.find_object(Messages)
    if messages is None or ctx.resilient_parsing:
        return
    if verbose is not None:
        messages.level = 2 if verbose else 0
    if not isinstance(ctx.command, click.Group):
        messages.settle()


def json_option(function: F) -> F:
    """Print results for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def jobs_option(function: F) -> F:
    """Choose the number of threads."""
    return click.option(
        "-j", "--jobs", type=click.IntRange(min=-1), help="Threads [default: all cores]."
    )(function)


workers_option = click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Tasks at the same time, each in a process with one thread.",
)
