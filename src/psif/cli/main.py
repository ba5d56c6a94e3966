"""The group of all commands, its common options, and how errors end."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import click

from psif import __version__
from psif.cli.config import FOUND, load_config
from psif.cli.failures import one_line
from psif.cli.messages import Messages
from psif.cli.options import VERBOSITY, VERBOSITY_HELP, add_verbosity
from psif.runtime.suggestions import nearest_name
from psif.runtime.visible import visible

# Help is shown from here, so that `psif --help` imports no command.
COMMANDS = {
    "embed": "Vectors of documents, from files to a file.",
    "fit": "Learn a model from documents.",
    "topics": "What each topic of a model is about.",
    "explain": "Why two texts are similar: topics and word pairs.",
    "explore": "A page with a map of documents, their topics, and why two are alike.",
    "index": "Index documents for search; add, delete, refit.",
    "search": "Find documents by words and topics, with the reason for every hit.",
    "similar": "Stored documents nearest to a text.",
    "train": "Learn a classifier of texts.",
    "predict": "Labels of documents, with reasons.",
    "group": "Named groups of documents, and how they change over time.",
    "dedupe": "Documents without their copies.",
    "info": "What a saved model is made of.",
    "convert": "A model in the format of another program.",
    "export": "Vectors into a vector store or database.",
    "serve": "Vectors, search and labels over HTTP, as OpenAI's API.",
    "eval": "Score methods on tasks, beside the published numbers.",
    "reproduce": "Score again what the tables of the paper hold.",
    "vectors": "List, inspect, convert, train and distil word vectors.",
    "data": "Evaluation sets on this machine.",
    "demo": "Embed the standard library's documentation and look at it.",
    "completion": "Script that completes commands in your shell.",
}

EPILOG = """\b
Start here:
  psif demo
  psif embed my_docs.jsonl -o vectors.parquet
  psif topics vectors.model
  psif index my_docs.jsonl -o docs.index
  psif search docs.index "a question"

Exit code 0: done; 1: failed, with the reason on standard error; 2: wrong usage.
"""


class _Group(click.Group):
    """Loads a command's module when it is called, and turns every error into one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"psif.cli.commands.{cmd_name}")
        command: click.Command = module.command
        add_verbosity(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = nearest_name(args[0], COMMANDS)
            hint = f" Did you mean {near!r}?" if near else f" Commands: {', '.join(COMMANDS)}."
            raise click.UsageError(f"no command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            error.message = visible(error.message, keep="\n\t")  # type: ignore[misc]
            raise
        except (click.exceptions.Exit, BrokenPipeError):
            raise
        except (Exception, KeyboardInterrupt) as error:
            if ctx.params.get("debug"):
                raise
            Messages().fail(one_line(error))
            sys.exit(1)


@click.group(
    cls=_Group,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="psif %(version)s")
@click.option(*VERBOSITY, default=None, help=VERBOSITY_HELP)
@click.option("--debug", is_flag=True, help="Show where in the code an error came from.")
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Options of the commands, in TOML [default: psif.toml in the current folder, without "
    "addresses and paths outside it].",
)
@click.pass_context
def psif(ctx: click.Context, verbose: bool | None, debug: bool, config: Path | None) -> None:
    """Document embeddings by partition averaging: fast, exact and explainable on a CPU."""
    messages = Messages(level=1 if verbose is None else 2 if verbose else 0)
    ctx.obj = messages
    ctx.with_resource(messages.show_warnings())
    path = config or FOUND
    if config is None and not path.is_file():
        return
    ctx.default_map, ignored = load_config(path, list(COMMANDS), named=config is not None)
    messages.wait(lambda: messages.note(f"options from {path}"))
    if ignored:
        messages.wait(
            lambda: messages.warn(
                f"{path}: ignored {', '.join(ignored)}. A {path} that is found in the current "
                "folder cannot name addresses, or files outside that folder. If you trust it, "
                f"name it: psif --config {path} {ctx.invoked_subcommand} ..."
            )
        )
