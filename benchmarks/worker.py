"""The process of one job: ``python -m benchmarks.worker ORDER``, with ORDER as JSON.

Its last line on standard output holds the measured values, also as JSON.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

from benchmarks.jobs import Context, find_job
from benchmarks.resources import use_cores
from benchmarks.sizes import SIZES


def main() -> None:
    """Run the job that the first argument describes."""
    order = json.loads(sys.argv[1])
    # Before any library counts the cores.
    use_cores(order["threads"])
    warnings.simplefilter("ignore")
    context = Context(
        Path(order["workspace"]), SIZES[order["size"]], order["threads"], float(order["spawned"])
    )
    values = find_job(order["kind"])(context, **order["arguments"])
    print(json.dumps(values))


if __name__ == "__main__":
    main()
