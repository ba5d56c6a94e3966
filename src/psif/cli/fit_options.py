"""Options of a new model, and the model made from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from psif.cli.assignments import parse_assignments, set_option
from psif.errors import InputError

if TYPE_CHECKING:
    from psif.model.embedder import Embedder

F = TypeVar("F", bound=Callable[..., Any])

# Option to parameter of PSIF.
_PARAMETERS = {
    "vectors": "vectors",
    "topics": "n_topics",
    "active": "n_active",
    "partition": "partition",
    "weighting": "weighting",
    "removed": "n_removed",
    "dims": "n_dims",
    "seed": "random_state",
    "jobs": "n_jobs",
}
FIT_ONLY = (
    "preset",
    "vectors",
    "topics",
    "active",
    "partition",
    "weighting",
    "removed",
    "seed",
    "tokenizer",
    "stop_words",
    "keep_case",
    "min_length",
    "assignments",
    "fit_limit",
)


ALL = "all"


class Dims(click.ParamType[int | str]):
    """A whole number from 1 up, or "all"."""

    name = "dims"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        """Check a value."""
        if value == ALL:
            return ALL
        return int(click.IntRange(min=1).convert(value, param, ctx))


def fit_options(function: F) -> F:
    """How to learn a model."""
    for decorate in reversed(
        [
            click.option(
                "--preset",
                help="Named settings instead of the defaults, which are good for all of search, "
                "groups and classifiers. paper: exactly the paper's; classification: all numbers "
                "and one column per frequent word, for linear classifiers; retrieval: all numbers, "
                "for nearest neighbours; similarity: for single sentences; compact: retrieval in "
                "512 numbers, without English stop words.",
            ),
            click.option(
                "--vectors", help="Trainer (ppmi, sgns, doc2vecc) or file of word vectors."
            ),
            click.option("-k", "--topics", metavar="N|auto", help="Number of topics K."),
            click.option("--active", type=click.IntRange(min=1), help="Topics per word."),
            click.option("--partition", help="ksvd, gmm, kmeans or auto."),
            click.option("--weighting", help="Word weights: sif, idf, ..."),
            click.option(
                "--removed", type=click.IntRange(min=0), help="Common components removed."
            ),
            click.option(
                "--dims",
                type=Dims(),
                metavar="N|all",
                help="Largest number of numbers per vector (default: 512); all: no limit.",
            ),
            click.option(
                "--seed", type=int, default=0, show_default=True, help="Same seed, same model."
            ),
            click.option("--tokenizer", help="words, unicode, paper, or a regular expression."),
            click.option(
                "--stop-words",
                help="Words to leave out: english, or a file with one word per line.",
            ),
            click.option("--keep-case", is_flag=True, help="Do not lower-case."),
            click.option(
                "--min-length", type=click.IntRange(min=1), help="Leave out shorter words."
            ),
            click.option(
                "--fit-limit",
                type=click.FloatRange(min=0),
                default=50,
                show_default=True,
                help="Learn from a random sample of the documents, at most this many million "
                "characters; 0: from all documents.",
            ),
            set_option("Any other parameter of psif.PSIF, e.g. --set min_count=5."),
        ]
    ):
        function = decorate(function)
    return function


def model_parameters(options: dict[str, Any]) -> dict[str, Any]:
    """Resolve the options to parameters of PSIF, as plain data."""
    parameters: dict[str, Any] = {}
    for option, name in _PARAMETERS.items():
        if options.get(option) is not None:
            parameters[name] = None if options[option] == ALL else options[option]
    topics = parameters.get("n_topics")
    if topics is not None and topics != "auto":
        if not str(topics).isdigit() or int(topics) < 1:
            raise click.BadParameter(
                f"{topics!r} is neither a number nor 'auto'", param_hint="--topics"
            )
        parameters["n_topics"] = int(topics)
    parameters.update(parse_assignments(options.get("assignments", ())))
    parameters.update(_tokenizer(options))
    return parameters


def make_model(preset: str | None, parameters: dict[str, Any]) -> Embedder:
    """Make an unfitted model."""
    from psif.model.embedder import Embedder
    from psif.text.tokenizer import Tokenizer

    parameters = dict(parameters)
    known = Embedder().settings
    for name in parameters:
        if name not in known:
            raise InputError(f"PSIF has no parameter {name!r}; it has {', '.join(known)}")
    if isinstance(parameters.get("tokenizer"), dict):
        parameters["tokenizer"] = Tokenizer.from_dict(parameters["tokenizer"])
    if preset is None:
        return Embedder(**parameters)
    return Embedder.from_preset(preset, **parameters)


def _tokenizer(options: dict[str, Any]) -> dict[str, Any]:
    from psif.text.tokenizer import Tokenizer

    chosen = {"tokenizer", "stop_words", "keep_case", "min_length"}
    if not any(options.get(name) for name in chosen):
        return {}
    tokenizer = Tokenizer(
        options["tokenizer"] or "words",
        lowercase=not options["keep_case"],
        stop_words=_stop_words(options["stop_words"]),
        min_length=options["min_length"] or 1,
    )
    return {"tokenizer": tokenizer.to_dict()}


def _stop_words(value: str | None) -> str | list[str] | None:
    if value is None or value == "english":
        return value
    try:
        return Path(value).read_text(encoding="utf-8").split()
    except OSError as error:
        raise InputError(f"--stop-words {value}: {error.strerror}") from error
