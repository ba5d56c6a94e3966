"""The same commands on a Dask cluster."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from psif.cli.messages import Messages
from psif.errors import InputError
from psif.files.readers import ReadOptions, ReadReport, is_stream
from psif.files.readers.documents import reader_of
from psif.files.readers.opening import shown

if TYPE_CHECKING:
    from psif.model.embedder import Embedder

F = TypeVar("F", bound=Callable[..., Any])

_OTHER_ENDINGS = {".npy", ".npz", ".jsonl", ".safetensors"}


def cluster_option(function: F) -> F:
    """Where to run."""
    return click.option(
        "--cluster",
        metavar="ADDRESS|local[:N]",
        help="Run on a Dask cluster: tcp://host:port of its scheduler, or N processes here.",
    )(function)


@contextmanager
def cluster_client(
    where: str | None, inputs: Sequence[str], reading: ReadOptions, messages: Messages
) -> Iterator[Any]:
    """Give a client of the cluster that ``--cluster`` names, None without it."""
    if where is None:
        yield None
        return
    check_inputs(inputs, reading)
    with _connected(where, messages) as client:
        yield client


@contextmanager
def _connected(where: str, messages: Messages) -> Iterator[Any]:
    """Connect to a cluster, or start one of this machine's processes."""
    from psif.distributed import ClusterError  # names the extra if Dask is missing
    from psif.distributed.local import local_cluster

    import distributed  # isort: skip

    cluster, address = None, where
    kind, _, number = where.partition(":")
    if kind == "local":
        if number and (not number.isdigit() or number == "0"):
            raise InputError(f"--cluster {where}: expected local or local:N, N workers.")
        cluster = local_cluster(int(number) if number else None)
        address = cluster.scheduler_address
    elif "://" not in where:
        raise InputError(f"--cluster {where}: expected tcp://host:port, local or local:N.")
    try:
        try:
            client = distributed.Client(address, timeout=15)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError) as error:
            raise ClusterError(
                f"no Dask scheduler answers at {address}. Is it running (dask scheduler), and can "
                "this machine reach it?"
            ) from error
        with client:
            n_workers = len(client.scheduler_info()["workers"])
            messages.say(f"{address}: {n_workers} workers; dashboard: {client.dashboard_link}")
            yield client
    finally:
        if cluster is not None:
            cluster.close()


def fit_on_cluster(
    client: Any,
    model: Embedder,
    inputs: Sequence[str],
    reading: ReadOptions,
    report: ReadReport,
    messages: Messages,
) -> None:
    """Fit a model on files, a partition each."""
    from psif import distributed

    with _noise_off():
        distributed.fit(
            model,
            [str(Path(path).absolute()) for path in inputs],  # workers run in other folders
            client=client,
            reading=reading,
            report=report,
            progress=messages.steps("fitting"),
        )


def embed_on_cluster(
    client: Any,
    model: Embedder | Path,
    inputs: Sequence[str],
    output: Path,
    reading: ReadOptions,
    dtype: str,
    messages: Messages,
    *,
    resume: bool,
) -> dict[str, Any]:
    """Write a folder of Parquet files, a partition each, and say what was done."""
    from psif import distributed

    began = time.monotonic()
    with _noise_off():
        report = distributed.transform(
            model,
            [str(Path(path).absolute()) for path in inputs],  # workers run in other folders
            client=client,
            out=output,
            dtype=dtype,
            reading=reading,
            overwrite=not resume,
            progress=messages.steps("embedding"),
        )
    if report.n_kept:
        messages.say(f"{report.n_kept:,} partitions were finished before")
    if report.n_skipped:
        messages.warn(f"{report.n_skipped:,} records were skipped, the first: {report.problems[0]}")
    if report.n_empty:
        messages.warn(f"{report.n_empty:,} documents have no known word; their vectors are zero")
    seconds = time.monotonic() - began
    messages.say(
        f"{output}: {report.n_docs:,} vectors in {report.n_partitions:,} files, {seconds:.1f} s"
    )
    return {
        "output": str(output),
        "documents": report.n_docs,
        "dtype": dtype,
        "skipped": report.n_skipped,
        "replaced_characters": report.n_replaced,
        "seconds": round(seconds, 3),
        "n_docs": report.n_docs,
        "n_empty": report.n_empty,
        "n_partitions": report.n_partitions,
        "n_kept": report.n_kept,
    }


def check_folder_output(output: Path) -> None:
    """Refuse an ending that says a single file of another format."""
    if output.suffix in _OTHER_ENDINGS:
        raise InputError(
            f"{output}: a cluster writes a folder of Parquet files; name a folder, "
            f"not a {output.suffix} file."
        )
    if output.is_file():
        raise InputError(f"{output} is a file; a cluster writes a folder of Parquet files.")


def check_inputs(inputs: Sequence[str], reading: ReadOptions) -> None:
    """Refuse a wrong path before a cluster is asked."""
    for path in inputs:
        reader_of(path, reading)
        if is_stream(path):
            raise InputError(
                f"{shown(path)}: a cluster cannot read standard input or a pipe; give files."
            )


@contextmanager
def _noise_off() -> Iterator[None]:
    """Dask's warnings about its own performance are not for this user."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="distributed")
        yield
