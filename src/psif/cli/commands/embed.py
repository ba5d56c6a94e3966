"""``psif embed``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from psif.cli.cluster import cluster_client, cluster_option
from psif.cli.fit_options import ALL, FIT_ONLY, fit_options
from psif.cli.messages import Messages
from psif.cli.options import input_options, jobs_option, json_option, read_options
from psif.cli.printing import print_json

if TYPE_CHECKING:
    from psif.cli.embedding import EmbedRun


@click.command(name="embed")
@input_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="File of vectors: .parquet, .npy, .npz, .jsonl or .safetensors; with --cluster a folder.",
)
@click.option(
    "--model",
    "model_path",
    type=click.Path(path_type=Path),
    help="Saved model [default: fit one on the inputs and save it beside the output].",
)
@click.option(
    "--dtype",
    type=click.Choice(["float32", "float16", "int8"]),
    default="float32",
    show_default=True,
    help="Type of the numbers.",
)
@click.option("--resume", is_flag=True, help="Continue an interrupted run.")
@fit_options
@jobs_option
@json_option
@cluster_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: tuple[str, ...],
    output: Path,
    model_path: Path | None,
    dtype: str,
    resume: bool,
    as_json: bool,
    cluster: str | None,
    **options: Any,
) -> None:
    """Write one vector per document of the inputs.

    INPUT is one or more of .txt (one document per line), .jsonl, .csv, .tsv or .parquet, each
    also compressed with gzip, a folder of text files, or - for standard input. Files are streamed:
    memory does not grow with their size. The output appears when it is complete; until then the
    finished part is in OUTPUT.part, and --resume continues it.

    \b
    Examples:
      psif embed my_docs.jsonl -o vectors.parquet
      psif embed new.csv --text-column body --model vectors.model -o new.npy
      psif embed folder/ -o vectors.safetensors --dims 256 --dtype float16
      psif embed huge.jsonl.gz -o huge.parquet --resume
      psif embed parts/*.jsonl --model big.model -o vectors/ --cluster local:8
    """
    from psif.cli.embedding import EmbedRun
    from psif.cli.fit_options import model_parameters
    from psif.cli.fitting import FitPlan

    messages: Messages = ctx.obj
    if model_path is not None:
        _refuse_fit_options(ctx)
    plan = FitPlan(
        inputs,
        read_options(options),
        options["preset"],
        model_parameters(options),
        options["fit_limit"],
    )
    if cluster is None and output.is_dir():
        raise click.BadParameter(f"{output} is a folder; name a file", param_hint="--output")
    dims = None if options["dims"] == ALL else options["dims"]
    files = (options["vectors"], options["stop_words"])
    run = EmbedRun(plan, output, dtype, model_path, dims, options["jobs"], messages, files)
    done = run(resume=resume) if cluster is None else _on_cluster(run, cluster, resume=resume)
    if as_json:
        print_json(done)


def _on_cluster(run: EmbedRun, cluster: str, *, resume: bool) -> dict[str, Any]:
    """Fit first, if there is no model, and save it beside the output."""
    from psif.cli.cluster import check_folder_output, embed_on_cluster
    from psif.cli.embedding import load_model
    from psif.cli.fitting import fit_model, save_model
    from psif.files.writers.job import model_beside

    plan, messages = run.plan, run.messages
    check_folder_output(run.output)
    source = run.model_path or model_beside(run.output)
    # A given model is looked at before a cluster is asked.
    model = None if run.model_path is None else load_model(source, run.dims)
    sent = source if model is None or run.dims is None else model  # a cut one is in no folder
    with cluster_client(cluster, plan.inputs, plan.reading, messages) as client:
        if model is None:
            if not (resume and source.exists()):
                save_model(fit_model(plan, messages, client).model, source, plan)
            model = load_model(source, run.dims)
        done = embed_on_cluster(
            client, sent, plan.inputs, run.output, plan.reading, run.dtype, messages, resume=resume
        )
    return {**done, "model": str(source), "dims": model.n_features_out_}


def _refuse_fit_options(ctx: click.Context) -> None:
    """Refuse options of fitting beside a model: they would have no effect."""
    from click.core import ParameterSource

    for name in FIT_ONLY:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = "set" if name == "assignments" else name.replace("_", "-")
            raise click.UsageError(f"--{option} is for fitting and has no effect with --model.")
