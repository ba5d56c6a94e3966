"""``psif fit``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from psif.cli.cluster import cluster_client, cluster_option
from psif.cli.fit_options import fit_options
from psif.cli.messages import Messages
from psif.cli.options import input_options, jobs_option, json_option, read_options
from psif.cli.printing import print_json


@click.command(name="fit")
@input_options
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder of the model."
)
@fit_options
@jobs_option
@json_option
@cluster_option
@click.pass_obj
def command(
    messages: Messages, /, inputs: tuple[str, ...], output: Path, as_json: bool, **options: Any
) -> None:
    """Learn a model from documents and save it in a folder.

    INPUT is one or more of .txt (one document per line), .jsonl, .csv, .tsv or .parquet, each
    also compressed with gzip, a folder of text files, or - for standard input. The inputs are
    read once.

    \b
    Examples:
      psif fit articles.jsonl -o articles.model
      psif fit reviews.csv --text-column body -k 60 -o reviews.model
      zcat big.txt.gz | psif fit - --vectors glove.txt -o big.model
      psif fit parts/*.jsonl -o big.model --cluster tcp://scheduler:8786
    """
    from psif.cli.fit_options import model_parameters
    from psif.cli.fitting import FitPlan, fit_model, save_model
    from psif.cli.reporting import describe_model
    from psif.files.identity import refuse_inputs_as_outputs
    from psif.model.folder import check_replaceable

    plan = FitPlan(
        inputs,
        read_options(options),
        options["preset"],
        model_parameters(options),
        options["fit_limit"],
    )
    # Before the work: a model that could not be saved would be lost.
    check_replaceable(output)
    refuse_inputs_as_outputs([output], inputs)
    with cluster_client(options["cluster"], inputs, plan.reading, messages) as client:
        model = fit_model(plan, messages, client).model
    save_model(model, output, plan)
    messages.say(f"{describe_model(model)}\nmodel: {output}")
    if as_json:
        facts = {
            "model": str(output),
            "documents": model.vocabulary_.n_docs,
            "topics": model.n_topics_,
            "words": model.vocabulary_.n_known,
            "dims": model.n_features_out_,
            "coverage": model.coverage_,
        }
        print_json(facts)
