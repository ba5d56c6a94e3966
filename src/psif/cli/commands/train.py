"""``psif train``."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from psif.cli.assignments import parse_assignments, set_option
from psif.cli.messages import Messages
from psif.cli.options import input_options, jobs_option, json_option, read_options
from psif.cli.printing import echo, print_json

if TYPE_CHECKING:
    from psif.classify.estimator import PSIFClassifier
    from psif.classify.mistakes import Mistake
    from psif.classify.report import HeldOutReport
    from psif.cli.labelled import Labelled


@click.command(name="train")
@input_options
@click.option(
    "--label-column",
    "label_columns",
    multiple=True,
    default=("label",),
    show_default="label",
    help="Column with the label; repeat it for several columns with one label each.",
)
@click.option("--separator", help="Divides the labels of a document that has several.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder of the classifier.",
)
@click.option(
    "--class-weight",
    type=click.Choice(["balanced"]),
    help="balanced: all classes count alike, however many documents they have.",
)
@click.option(
    "--pairs",
    type=click.Choice(["auto", "yes", "no"]),
    default="auto",
    show_default=True,
    help="Columns for pairs of neighbouring words; auto: if held-out documents gain from them.",
)
@click.option(
    "--dtype",
    type=click.Choice(["float32", "float16", "int8"]),
    default="float32",
    show_default=True,
    help="Type of the saved numbers: float16 and int8 are smaller and round them.",
)
@click.option(
    "--report/--no-report",
    default=True,
    show_default=True,
    help="First train on four fifths of the documents and score the others.",
)
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Page with the report, the confusion matrix as a picture and the surest mistakes.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same classifier.")
@set_option("Set any parameter of the model of documents, e.g. --set n_topics=60.")
@jobs_option
@json_option
@click.pass_obj
def command(
    messages: Messages, /, inputs: tuple[str, ...], output: Path, as_json: bool, **options: Any
) -> None:
    """Learn a classifier of texts and save it in a folder.

    INPUT is one or more of .jsonl, .csv, .tsv or .parquet, each also compressed with gzip, with
    one text and one label per record. A record without a label teaches words and topics only.
    The report on held-out documents goes to standard output, and to a page with --html.

    \b
    Examples:
      psif train tickets.csv --label-column queue -o tickets.clf
      psif train films.jsonl --label-column genres --separator ";" -o films.clf --html films.html
    """
    from psif.classify.storage import check_replaceable
    from psif.cli.labelled import read_labelled
    from psif.cli.reporting import report_reading
    from psif.errors import EmptyDocumentsWarning
    from psif.files.identity import refuse_equal_outputs, refuse_inputs_as_outputs
    from psif.files.readers import ReadReport

    settings = parse_assignments(options["assignments"])
    reading = read_options(options)
    # Before the work: a classifier that could not be saved would be lost.
    check_replaceable(output)
    page: Path | None = options["html"]
    refuse_equal_outputs({"--output": output, "--html": page})
    refuse_inputs_as_outputs([output] if page is None else [output, page], inputs)
    if page is not None and not options["report"]:
        raise click.UsageError("--html needs the report; leave --no-report out.")
    report = ReadReport()
    data = read_labelled(inputs, reading, options["label_columns"], options["separator"], report)
    report_reading(report, messages)
    if data.unlabelled:
        messages.say(f"{len(data.unlabelled):,} documents without a label teach words and topics")
    clf = _new_classifier(settings, options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EmptyDocumentsWarning)
        held_out = _hold_out(clf, data, options["seed"]) if options["report"] else None
        clf.fit(data.texts, data.labels, unlabelled=data.unlabelled)
    clf.save(output, dtype=options["dtype"])
    facts = (
        f"{len(clf.classes_):,} classes, {len(data.texts):,} documents, loss {clf.loss_}, "
        f"C {clf.C_:g}, {f'{len(clf.pairs_):,} pairs of words' if len(clf.pairs_) else 'no pairs'}"
    )
    if clf.language_:
        facts += f", psif's {clf.language_} table (--set vectors=ppmi does without)"
    messages.say(f"{output}: {facts}")
    if page is not None and held_out is not None:
        _write_page(page, str(output), held_out, clf, facts)
        messages.say(f"{page}: the report as a page")
    if as_json:
        print_json(
            {
                "model": str(output),
                "classes": clf.classes_.tolist(),
                "documents": len(data.texts),
                "unlabelled": len(data.unlabelled),
                "loss": clf.loss_,
                "C": clf.C_,
                "pairs": len(clf.pairs_),
                "language": clf.language_,
                "held_out": None if held_out is None else held_out.report.to_dict(),
            }
        )
    elif held_out is not None:
        echo(held_out.report)


def _new_classifier(settings: dict[str, Any], options: dict[str, Any]) -> PSIFClassifier:
    from psif.classify.from_settings import make_classifier

    return make_classifier(
        pairs="auto" if options["pairs"] == "auto" else options["pairs"] == "yes",
        class_weight=options["class_weight"],
        random_state=options["seed"],
        n_jobs=options["jobs"],
        **settings,
    )


class _HeldOut(NamedTuple):
    """The report on held-out documents, and the surest mistakes among them."""

    report: HeldOutReport
    mistakes: list[Mistake]


def _hold_out(clf: PSIFClassifier, data: Labelled, seed: int) -> _HeldOut:
    """Score documents that a first fit holds out, all copies of a text together."""
    import numpy as np
    from sklearn.base import clone

    from psif.classify.folds import folds_of_texts
    from psif.classify.labels import code_labels, label_matrix
    from psif.classify.report import HeldOutReport

    coded = code_labels(data.labels, len(data.texts))
    names = coded.classes.tolist()
    first = coded.targets.argmax(axis=1)
    rows, held = folds_of_texts(data.texts, first, seed)[0]
    taught = clone(clf).fit(
        [data.texts[i] for i in rows],
        [data.labels[i] for i in rows],
        unlabelled=data.unlabelled,
    )
    texts, wanted = [data.texts[i] for i in held], [data.labels[i] for i in held]
    predicted = taught.predict(texts)
    if coded.several:
        found = label_matrix(predicted, coded.classes)
        report = HeldOutReport.of_labels(coded.targets[held], found, names)
    else:
        numbers = np.searchsorted(coded.classes, predicted)
        report = HeldOutReport.of_classes(first[held], numbers, names)
    return _HeldOut(report, taught.errors(texts, wanted))


def _write_page(
    path: Path, title: str, held_out: _HeldOut, clf: PSIFClassifier, facts: str
) -> None:
    from psif.classify.page import report_page
    from psif.runtime.atomic import atomic_path

    page = report_page(title, held_out.report, held_out.mistakes, clf.describe(), [facts])
    with atomic_path(path) as part:
        part.write_text(page, encoding="utf-8", errors="backslashreplace")
