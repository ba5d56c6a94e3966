"""``python -m benchmarks.serving``: requests per second of psif serve, beside model2vec behind it.

The clients are one process with plain sockets, so that they cost little beside the server; each
sends its next request when it has read its answer. Everything stays on this machine.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from psif.runtime.atomic import atomic_path
from psif.runtime.provenance import described, environment

_PEERS = ("psif", "model2vec")
_LONG = "psif, long run"
# The aims, and the growth of memory that is noise.
_PER_SECOND, _P99, _GROWTH = 2_000, 50, 0.02
_PACKAGES = ("uvicorn", "starlette", "httptools", "uvloop", "model2vec")


@dataclass(frozen=True)
class Load:
    """What clients saw.

    Attributes
    ----------
    requests, errors : int
    per_second : float
    median, p99 : float
        Milliseconds from sending a request to the end of its answer.
    cpu : float
        Milliseconds of the processor per request, of the server alone: this number holds beside
        other work too.
    memory_before, memory_after : float
        Megabytes of the server, after a first part of the requests and at the end.
    """

    requests: int
    errors: int
    per_second: float
    median: float
    p99: float
    cpu: float
    memory_before: float
    memory_after: float


def make_folders(root: Path) -> None:
    """Learn a model, and write the table that model2vec serves."""
    from benchmarks.corpora import labelled_corpus
    from benchmarks.peers.model2vec import FOLDER, make_table
    from benchmarks.sizes import SIZES
    from psif.model.embedder import Embedder

    texts = labelled_corpus(4, root).texts
    if not (root / "psif").exists():
        Embedder(random_state=0).fit(texts).save(root / "psif")
    if not (root / FOLDER).exists():
        make_table(root / FOLDER, SIZES["quick"])
    lines = [" ".join(text.split()[:30]) for text in texts if len(text.split()) >= 10]
    (root / "texts.json").write_text(json.dumps(lines[:2_000]), encoding="utf-8")


def serve_peer(name: str, root: Path, pipe: Any) -> None:
    """Run the server of one peer; the address goes through the pipe."""
    from psif.serve.application import Application
    from psif.serve.served import Served, open_served
    from psif.serve.server import listen, serve

    if name == "psif":
        served = open_served(f"psif={root / 'psif'}")
    else:
        from model2vec import StaticModel

        from benchmarks.peers.model2vec import FOLDER

        table = StaticModel.from_pretrained(str(root / FOLDER))

        def embed(texts: list[str]) -> Any:
            rows = np.asarray(table.encode(texts, max_length=None), dtype=np.float32)
            return rows, np.ones(len(texts), dtype=np.int64)

        served = Served(name, "model", embed, int(embed(["x"])[0].shape[1]))
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        serve(Application([served]), listener, ready=lambda _: pipe.send(port))


@contextmanager
def running(name: str, root: Path) -> Iterator[tuple[int, int]]:
    """Port and process id of a server."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve_peer, args=(name, root, theirs))
    process.start()
    try:
        if not ours.poll(300):
            raise RuntimeError(f"the server of {name} did not start")
        assert process.pid is not None
        yield ours.recv(), process.pid
    finally:
        process.terminate()
        process.join(60)


def requests_of(name: str, root: Path, encoding: str) -> list[bytes]:
    """Return requests of one text each, ready to send."""
    made = []
    for text in json.loads((root / "texts.json").read_text(encoding="utf-8")):
        body = json.dumps({"model": name, "input": text, "encoding_format": encoding}).encode()
        head = f"POST /v1/embeddings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}"
        made.append(f"{head}\r\nContent-Type: application/json\r\n\r\n".encode() + body)
    return made


class _Clients:
    """Clients that share a number of requests."""

    def __init__(self, port: int, requests: list[bytes], total: int) -> None:
        self._port, self._requests, self.left = port, requests, total
        self.times: list[float] = []
        self.errors: list[str] = []
        self.is_stopping = False

    async def run(self, n_clients: int) -> float:
        """Send all requests; return the seconds that it took."""
        began = time.perf_counter()
        await asyncio.gather(*(self._client(number) for number in range(n_clients)))
        return time.perf_counter() - began

    async def _client(self, number: int) -> None:
        streams = None
        place = number * 31
        while self.left > 0:
            self.left -= 1
            try:
                streams = streams or await asyncio.open_connection("127.0.0.1", self._port)
            except OSError as error:
                if not self.is_stopping:
                    self.errors.append(repr(error))
                return
            place = (place + 1) % len(self._requests)
            began = time.perf_counter()
            try:
                closing = await self._ask(*streams, self._requests[place])
            except (OSError, EOFError) as error:
                self.errors.append(repr(error))
                streams = None
                continue
            self.times.append(time.perf_counter() - began)
            if closing:
                streams[1].close()
                streams = None
        if streams is not None:
            streams[1].close()

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes
    ) -> bool:
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        size = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await reader.readexactly(size)
        if not head.startswith(b"http/1.1 200"):
            self.errors.append(head[:40].decode())
        return b"connection: close" in head


def memory_of(pid: int) -> float:
    """Megabytes that a process holds."""
    import psutil

    return float(psutil.Process(pid).memory_info().rss) / 1e6


def processor_of(pid: int) -> float:
    """Seconds of the processor that a process has used."""
    import psutil

    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def load(name: str, root: Path, total: int, n_clients: int, encoding: str) -> Load:
    """Send requests and say what the clients saw."""
    requests = requests_of(name, root, encoding)
    with running(name, root) as (port, pid):
        # The first tenth fills caches and is not timed.
        warm = _Clients(port, requests, max(n_clients, total // 10))
        _run(warm.run(n_clients))
        before, began = memory_of(pid), processor_of(pid)
        clients = _Clients(port, requests, total)
        seconds = _run(clients.run(n_clients))
        after, ended = memory_of(pid), processor_of(pid)
    times = 1000 * np.array(clients.times)
    errors = clients.errors + warm.errors
    for error in sorted(set(errors)):
        click.echo(f"  {errors.count(error)} x {error}", err=True)
    return Load(
        len(times), len(errors), round(len(times) / seconds, 1),
        round(float(np.median(times)), 2), round(float(np.percentile(times, 99)), 2),
        round(1000 * (ended - began) / total, 3), round(before, 1), round(after, 1),
    )  # fmt: skip


def stop_under_load(root: Path, n_clients: int, rounds: int) -> dict[str, int]:
    """Stop the server while clients send; count answers and lost requests."""
    answered = lost = 0
    requests = requests_of("psif", root, "base64")
    for _ in range(rounds):
        with running("psif", root) as (port, pid):
            clients = _Clients(port, requests, 1 << 30)

            async def stop(clients: _Clients = clients, pid: int = pid) -> None:
                await asyncio.sleep(1.0)
                clients.is_stopping = True
                os.kill(pid, signal.SIGTERM)

            async def both(clients: _Clients = clients) -> None:
                await asyncio.gather(clients.run(n_clients), stop())

            _run(both())
        answered, lost = answered + len(clients.times), lost + len(clients.errors)
    return {"stops": rounds, "answered": answered, "lost": lost}


def _run(work: Any) -> Any:
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    return uvloop.run(work)


@click.command()
@click.option("--requests", type=click.IntRange(1, 10_000_000), default=20_000, show_default=True)
@click.option("--clients", type=click.IntRange(1, 512), default=64, show_default=True)
@click.option("--encoding", type=click.Choice(["float", "base64"]), default="base64")
@click.option("--soak", type=int, default=0, help="Requests to watch the memory over, as 500000.")
@click.option("--stops", type=int, default=0, help="Stops under load, as 10.")
@click.option("--full", is_flag=True, help="All of it: --soak 500000 --stops 10.")
@click.option("--only", type=click.Choice(_PEERS), help="One of the two.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder of serving.md.")
def command(
    requests: int, clients: int, encoding: str, soak: int, stops: int, full: bool,
    only: str | None, output: Path | None,
) -> None:  # fmt: skip
    """Measure psif serve with many clients on this machine.

    Aims: 2,000 requests of one text per second on two cores with 64 clients, 99 % of them
    within 50 ms; the same memory after 500,000 requests; no request lost by a stop. --full
    sends some 600,000 requests: five minutes at 2,000 per second, and the starts of the server.
    """
    if full:
        soak, stops = soak or 500_000, stops or 10
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_folders(root)
        found: dict[str, Any] = {"clients": clients, "encoding": encoding, "loads": {}}
        for name in _PEERS if only is None else (only,):
            found["loads"][name] = asdict(load(name, root, requests, clients, encoding))
        if soak:
            found["loads"][_LONG] = asdict(load("psif", root, soak, clients, encoding))
        if stops:
            found["stops"] = stop_under_load(root, clients, stops)
    click.echo(json.dumps(found, indent=1))
    if output is not None:
        write_report(found, output / "serving.md")


def verdicts(found: dict[str, Any]) -> dict[str, str]:
    """Say which aims were reached; a part that was not run has no verdict."""
    aims: dict[str, bool] = {}
    loads = found["loads"]
    if "psif" in loads:
        seen = loads["psif"]
        aims[f"{_PER_SECOND:,} requests per second"] = seen["per_second"] >= _PER_SECOND
        aims[f"99 % of the answers within {_P99} ms"] = seen["p99"] < _P99
    if "psif" in loads and "model2vec" in loads:
        speeds = (loads[name]["per_second"] for name in _PEERS)
        aims["as many requests per second as model2vec"] = next(speeds) >= next(speeds)
    if _LONG in loads:
        seen = loads[_LONG]
        requests = f"{seen['requests']:,} requests"
        aims[f"{requests} without an error"] = seen["errors"] == 0
        growth = seen["memory_after"] / seen["memory_before"] - 1
        aims[f"memory within {_GROWTH:.0%} over {requests}"] = growth <= _GROWTH
    if "stops" in found:
        aims["no request lost by SIGTERM"] = found["stops"]["lost"] == 0
    return {aim: "yes" if reached else "no" for aim, reached in aims.items()}


def write_report(found: dict[str, Any], path: Path) -> None:
    """Write what was measured as a page."""
    lines = [
        "# The server",
        "",
        f"`python -m benchmarks.serving --full -o results`, {found['clients']} clients, one text "
        f"of up to 30 words per request, {found['encoding']}; clients and server share the cores. "
        "psif has a model of its defaults, 512 numbers; model2vec a table of 256. "
        f"{described(environment(_PACKAGES))}.",
        "",
        "| server | requests | errors | per second | median ms | p99 ms | processor ms per request "
        "| MB before | MB after |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, seen in found["loads"].items():
        values = " | ".join(f"{value:,}" for value in seen.values())
        lines.append(f"| {name} | {values} |")
    if "stops" in found:
        stops = found["stops"]
        lines += [
            "",
            f"{stops['stops']} times SIGTERM under load: {stops['answered']:,} requests answered, "
            f"{stops['lost']} lost.",
        ]
    lines += ["", "| aim | reached |", "|---|---|"]
    lines += [f"| {aim} | {reached} |" for aim, reached in verdicts(found).items()]
    with atomic_path(path) as part:
        part.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    command()
