"""How long the first vector of a new process takes."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

from benchmarks.jobs import Context
from benchmarks.peers import peer_class
from benchmarks.resources import peak_mb

_TEXT = "the ship left the harbour at high tide with a cargo of grain"


def start(context: Context, peer: str) -> dict[str, Any]:
    """Import what a user imports, load the saved model, embed one short document."""
    kind = peer_class(peer)
    began = time.perf_counter()
    for place in kind.modules:
        module, _, attribute = place.partition(":")
        found = import_module(module)
        if attribute:
            getattr(found, attribute)
    imported = time.perf_counter() - began
    method = kind(context.workspace, context.size)
    method.load(context.model_folder(peer))
    method.embed([_TEXT])
    return {
        "import_seconds": imported,
        # Interpreter included: the clock is the same for all processes of a machine.
        "first_vector_seconds": time.monotonic() - context.spawned,
        "peak_mb": peak_mb(),
    }
