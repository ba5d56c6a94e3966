"""``python -m benchmarks.encoding``: the encoder that words are distilled from, beside torch.

The same sentences through the same network, on one core: ONNX Runtime with weights of 32 and of
8 bits (:mod:`psif.vectors.bert`), and sentence-transformers. All cut after as many tokens. Needs
``psif[distill]`` and the packages of the transformer among the peers.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np

from benchmarks.peers.minilm import model_folder
from psif.evaluation.data.folders import read_rows
from psif.runtime.norms import unit_rows

_TOKENS = 64
_ROUNDS = 3


@click.command()
@click.option("--teacher", type=click.Path(path_type=Path), help="Folder of the encoder.")
@click.option("--sentences", "n_sentences", type=int, default=1_000)
def command(teacher: Path | None, n_sentences: int) -> None:
    """Print sentences per second, and the cosines with the vectors of torch, as JSON."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    texts = [str(row["text_a"]) for row in read_rows("stsb/test")][:n_sentences]
    encoders = _encoders(teacher or model_folder())
    vectors = {name: unit_rows(encode(texts)) for name, encode in encoders.items()}
    seconds: dict[str, float] = dict.fromkeys(encoders, float("inf"))
    for _ in range(_ROUNDS):
        # In turn: what else the machine does then meets all of them.
        for name, encode in encoders.items():
            began = time.perf_counter()
            encode(texts)
            seconds[name] = min(seconds[name], time.perf_counter() - began)
    for name, found in vectors.items():
        cosines = (found * vectors["torch"]).sum(axis=1)
        rate = len(texts) / seconds[name]
        line = {
            "encoder": name,
            "sentences per second": round(rate, 1),
            "times torch": round(seconds["torch"] / seconds[name], 2),
            "mean cosine": round(float(cosines.mean()), 4),
            "first percentile": round(float(np.percentile(cosines, 1)), 4),
        }
        click.echo(json.dumps(line))


def _encoders(folder: Path) -> dict[str, Callable[[list[str]], Any]]:
    import torch
    from sentence_transformers import SentenceTransformer

    from psif.vectors.encoding import SentenceEncoder

    torch.set_num_threads(1)
    peer = SentenceTransformer(str(folder), device="cpu")
    peer.max_seq_length = _TOKENS
    return {
        "ONNX Runtime, 32 bits": SentenceEncoder(folder, most_tokens=_TOKENS).encode,
        "ONNX Runtime, 8 bits": SentenceEncoder(folder, most_tokens=_TOKENS, bits=8).encode,
        "torch": lambda texts: peer.encode(texts, batch_size=64, show_progress_bar=False),
    }


if __name__ == "__main__":
    command()
