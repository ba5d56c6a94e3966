"""``psif train``."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from psif.cli.assignments import parse_assignments, set_option
from psif.cli.messages import Messages
from psif.cli.options import input_options, jobs_option, json_option, read_options
from psif.cli.printing import echo, print_json

if TYPE_CHECKING:
    from psif.classify.estimator import PSIFClassifier
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
    "--report/--no-report",
    default=True,
    show_default=True,
    help="First train on four fifths of the documents and score the others.",
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
    The report on held-out documents goes to standard output.

    \b
    Examples:
      psif train tickets.csv --label-column queue -o tickets.clf
      psif train films.jsonl --label-column genres --separator ";" -o films.clf
    """
    from psif.classify.storage import check_replaceable
    from psif.cli.labelled import read_labelled
    from psif.cli.reporting import report_reading
    from psif.errors import EmptyDocumentsWarning
    from psif.files.identity import refuse_inputs_as_outputs
    from psif.files.readers import ReadReport

    settings = parse_assignments(options["assignments"])
    reading = read_options(options)
    # Before the work: a classifier that could not be saved would be lost.
    check_replaceable(output)
    refuse_inputs_as_outputs([output], inputs)
    report = ReadReport()
    data = read_labelled(inputs, reading, options["label_columns"], options["separator"], report)
    report_reading(report, messages)
    if data.unlabelled:
        messages.say(f"{len(data.unlabelled):,} documents without a label teach words and topics")
    clf = _new_classifier(settings, options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EmptyDocumentsWarning)
        held_out = _score(clf, data, options["seed"]) if options["report"] else None
        clf.fit(data.texts, data.labels, unlabelled=data.unlabelled)
    clf.save(output)
    messages.say(
        f"{output}: {len(clf.classes_):,} classes, {len(data.texts):,} documents, "
        f"loss {clf.loss_}, C {clf.C_:g}"
    )
    if as_json:
        print_json(
            {
                "model": str(output),
                "classes": clf.classes_.tolist(),
                "documents": len(data.texts),
                "unlabelled": len(data.unlabelled),
                "loss": clf.loss_,
                "C": clf.C_,
                "held_out": None if held_out is None else held_out.to_dict(),
            }
        )
    elif held_out is not None:
        echo(held_out)


def _new_classifier(settings: dict[str, Any], options: dict[str, Any]) -> PSIFClassifier:
    from psif.classify.estimator import PSIFClassifier
    from psif.cli.fit_options import make_model
    from psif.model.estimator import PSIF

    return PSIFClassifier(
        PSIF(**make_model("classification", settings).settings),
        class_weight=options["class_weight"],
        random_state=options["seed"],
        n_jobs=options["jobs"],
    )


def _score(clf: PSIFClassifier, data: Labelled, seed: int) -> HeldOutReport:
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
    predicted = taught.predict([data.texts[i] for i in held])
    if coded.several:
        found = label_matrix(predicted, coded.classes)
        return HeldOutReport.of_labels(coded.targets[held], found, names)
    found = np.searchsorted(coded.classes, predicted)
    return HeldOutReport.of_classes(first[held], found, names)
