"""``psif convert``."""

from __future__ import annotations

from pathlib import Path

import click

from psif.cli.messages import Messages

FORMATS = ("model2vec",)


@click.command(name="convert")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--to", required=True, type=click.Choice(FORMATS), help="Format of the result.")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="Folder of the result."
)
@click.pass_obj
def command(messages: Messages, model: Path, to: str, output: Path) -> None:
    """Write a compact model in the format of another program.

    MODEL is the folder of a model, or the word english. The result is one row per word, which
    model2vec and its runtimes in other languages average. What such an average does otherwise
    than the model is told.

    \b
    Examples:
      psif fit my_docs.jsonl -o docs.model --dims 256 --set word_columns=0
      psif convert docs.model --to model2vec -o docs.model2vec
    """
    from psif.integrations.model2vec import write_model2vec

    for note in write_model2vec(str(model), output):
        messages.say(f"differs from psif: {note}")
    messages.say(f"{output}: written; load it with model2vec.StaticModel.from_pretrained")
