"""The process of one measurement: ``python -m benchmarks.worker JOB``, JOB being JSON.

Its last line on standard output is the result, also JSON.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

from benchmarks.jobs import Context, find_job
from benchmarks.machine import use_cores
from benchmarks.sizes import SIZES


def main() -> None:
    """Do the job that the first argument describes."""
    job = json.loads(sys.argv[1])
    # Before any library counts the cores.
    use_cores(job["threads"])
    warnings.simplefilter("ignore")
    context = Context(
        Path(job["workspace"]), SIZES[job["size"]], job["threads"], float(job["spawned"])
    )
    result = find_job(job["kind"])(context, **job["arguments"])
    print(json.dumps(result))


if __name__ == "__main__":
    main()
