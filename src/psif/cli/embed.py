"""``psif embed``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from psif.cli.fit_options import FIT_ONLY, fit_options
from psif.cli.messages import Messages
from psif.cli.options import input_options, jobs_option, json_option, read_options


@click.command(name="embed")
@input_options
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="File of vectors: .parquet, .npy, .jsonl or .safetensors.",
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
@click.option("--resume", is_flag=True, help="Go on where an interrupted run stopped.")
@fit_options
@jobs_option
@json_option
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
    **options: Any,
) -> None:
    r"""Write a vector for every document of the inputs.

    INPUT is one or more of .txt (a document a line), .jsonl, .csv, .tsv or .parquet, each also
    gzip'd, a folder of text files, or - for standard input. Files are streamed: memory does not
    grow with their size. The output appears when it is complete; until then the work done stands
    in OUTPUT.part, from where --resume goes on.

    \b
    Examples:
      psif embed my_docs.jsonl -o vectors.parquet
      psif embed new.csv --text-column body --model vectors.model -o new.npy
      psif embed folder/ -o vectors.safetensors --dims 256 --dtype float16
      psif embed huge.jsonl.gz -o huge.parquet --resume
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
    run = EmbedRun(plan, output, dtype, model_path, options["dims"], options["jobs"], messages)
    done = run(resume=resume)
    if as_json:
        click.echo(json.dumps(done))


def _refuse_fit_options(ctx: click.Context) -> None:
    """Options of fitting would be without effect beside a model: say so."""
    from click.core import ParameterSource

    for name in FIT_ONLY:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = "set" if name == "parameters" else name.replace("_", "-")
            raise click.UsageError(f"--{option} is for fitting and has no effect with --model.")
