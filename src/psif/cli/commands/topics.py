"""``psif topics``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from psif.cli.options import json_option
from psif.cli.printing import echo, print_json
from psif.runtime.visible import visible


@click.command(name="topics")
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "-n",
    "--words",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Words per topic.",
)
@click.option(
    "--sort",
    type=click.Choice(["share", "index"]),
    default="share",
    show_default=True,
    help="Order: by share of the corpus, or by number.",
)
@click.option("--word", help="Print the topics of this word instead: its senses.")
@json_option
def command(model: Path, words: int, sort: str, word: str | None, as_json: bool) -> None:
    """Print the words of each topic and its share of the corpus.

    \b
    Examples:
      psif topics vectors.model
      psif topics vectors.model -n 20 --json
      psif topics vectors.model --word bank
    """
    from psif.model.embedder import Embedder

    fitted = Embedder.load(model)
    topics = fitted.topics(n_words=words) if word is None else fitted.senses(word, n_words=words)
    if sort == "share":
        topics.sort(key=lambda topic: -topic.share)
    if as_json:
        print_json([asdict(topic) for topic in topics])
        return
    for topic in topics:
        echo(visible(str(topic)))
