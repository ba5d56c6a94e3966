"""``psif explain``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from psif.cli.options import DEFAULT_MODEL, json_option
from psif.cli.printing import echo, print_json, print_rich
from psif.errors import InputError


@click.command(name="explain")
@click.argument("arguments", nargs=-1, required=True, metavar="[MODEL] TEXT...")
@click.option("--label", help="Of a classifier: the label to explain [default: the likeliest].")
@click.option("--against", help="Of a classifier: explain the label against this one.")
@json_option
def command(
    arguments: tuple[str, ...], label: str | None, against: str | None, as_json: bool
) -> None:
    """Say why two texts are similar, or why a text gets its label.

    With a model of documents, the similarity of two texts is split exactly over topics and word
    pairs. With a classifier of psif train, the score of a label for one text is split exactly
    over its words and topics. Without MODEL, the ready model for English texts compares two
    texts. A text that begins with @ names a file that holds it.

    \b
    Examples:
      psif explain "A man plays the guitar." "Someone makes music."
      psif explain vectors.model "open a file" "read from disk"
      psif explain vectors.model @letter.txt @answer.txt --json
      psif explain tickets.clf "I forgot my password"
      psif explain tickets.clf @ticket.txt --label billing --against login
    """
    from psif.classify.marker import is_classifier

    model, texts = _named(arguments)
    given = [_text(text) for text in texts]
    found = (
        _reasons(model, given, label, against)
        if is_classifier(model)
        else _similarity(model, given, label or against)
    )
    if as_json:
        print_json(found.to_dict())
    elif sys.stdout.isatty() and hasattr(found, "__rich__"):
        print_rich(found)
    else:
        echo(found)


def _named(arguments: tuple[str, ...]) -> tuple[Path, tuple[str, ...]]:
    """Tell the model from the texts: two texts need none, unless the first is a folder."""
    if len(arguments) == 2 and not _is_folder(arguments[0]):
        return Path(DEFAULT_MODEL), arguments
    return Path(arguments[0]), arguments[1:]


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):  # A long text is no name of a file.
        return False


def _similarity(model: Path, texts: list[str], option: str | None) -> Any:
    from psif.model.embedder import Embedder

    if option is not None:
        raise click.UsageError(f"--label and --against are for classifiers; {model} is a model.")
    if len(texts) != 2:
        raise click.UsageError(f"{model} explains two texts; got {len(texts)}.")
    return Embedder.load(model).explain(*texts)


def _reasons(model: Path, texts: list[str], label: str | None, against: str | None) -> Any:
    from psif.classify.estimator import PSIFClassifier

    if len(texts) != 1:
        raise click.UsageError(
            f"{model} is a classifier, which explains one text; got {len(texts)}."
        )
    clf = PSIFClassifier.load(model)
    return clf.explain(texts[0], _label(clf, label), _label(clf, against))


def _label(clf: Any, given: str | None) -> Any:
    """Return the class that is written so: classes may be numbers."""
    by_name = {str(name): name for name in clf.classes_.tolist()}
    return by_name.get(given, given) if given is not None else None


def _text(argument: str) -> str:
    if not argument.startswith("@"):
        return argument
    try:
        return Path(argument[1:]).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{argument[1:]}: {error.strerror}") from error
