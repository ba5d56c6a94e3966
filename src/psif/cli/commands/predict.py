"""``psif predict``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from psif.cli.messages import Messages
from psif.cli.options import input_options, jobs_option, read_options


@click.command(name="predict")
@click.argument("model", type=click.Path(path_type=Path))
@input_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="File of labels: .csv, .jsonl or .parquet.",
)
@click.option("--proba", is_flag=True, help="Add the probability of every class.")
@click.option(
    "--top", type=click.IntRange(min=1), help="Add the N likeliest classes with probabilities."
)
@click.option("--why", is_flag=True, help="Add the words that decided.")
@click.option(
    "--separator",
    default=";",
    show_default=True,
    help="Divides the labels of a document that has several, in .csv and .parquet.",
)
@jobs_option
@click.pass_obj
def command(
    messages: Messages, /, model: Path, inputs: tuple[str, ...], output: Path, **options: Any
) -> None:
    """Write the labels of documents that a classifier predicts.

    MODEL is a folder that psif train wrote. The documents are read and written in batches, so
    that the input may be larger than memory. The output appears when it is complete.

    \b
    Examples:
      psif predict tickets.clf new.csv -o labels.csv
      psif predict tickets.clf new.jsonl -o labels.jsonl --top 3 --why
    """
    from psif.classify.estimator import PSIFClassifier
    from psif.cli.predicting import PredictRun, label_writer
    from psif.cli.reporting import report_reading
    from psif.files.identity import refuse_inputs_as_outputs
    from psif.files.readers import ReadReport, read_documents

    reading = read_options(options)
    write = label_writer(output)
    refuse_inputs_as_outputs([output], inputs)
    report = ReadReport()
    documents = read_documents(inputs, reading, report)
    clf = PSIFClassifier.load(model)
    clf.n_jobs = options["jobs"]
    run = PredictRun(clf, options["proba"], options["top"], options["why"])
    n_empty = write(run, documents, options["separator"])
    report_reading(report, messages)
    if n_empty:
        messages.warn(
            f"{n_empty:,} of {report.n_docs:,} documents have no known word; "
            "their labels are those of an empty text"
        )
    messages.say(f"{output}: {report.n_docs:,} labels")
