"""``python -m benchmarks.label_tasks``: classifiers of raw texts on the labelled tasks, one table.

Every classifier gets the raw training texts and makes all its choices on them; psif, TF-IDF and
fastText read the same tokens. The score is the accuracy on the test texts of the one given split.
Finished scores are kept in a JSON file beside the table, so that a run can be resumed.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import click

from benchmarks.classifiers import label_peer
from psif.evaluation.tasks import find_tasks
from psif.runtime.atomic import atomic_path
from psif.runtime.provenance import described, environment

TASKS = ("20news", "bbcsport", "twitter", "ohsumed", "classic", "r8", "amazon", "recipe", "sst2")
PEERS = ("psif", "tfidf-svc", "fasttext")
_PACKAGES = ("scikit-learn", "fasttext-wheel")


@click.command()
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("results"))
@click.option("--only", default=",".join(TASKS), help="Tasks, with commas between them.")
@click.option("--peers", default=",".join(PEERS), help="Classifiers, with commas between them.")
@click.option("--again", is_flag=True, help="Score even what is in the file.")
def command(output: Path, only: str, peers: str, again: bool) -> None:
    """Score classifiers on the tasks and write labels.json and labels.md."""
    place = output / "labels.json"
    scores: dict[str, Any] = json.loads(place.read_text("utf-8")) if place.exists() else {}
    for name in only.split(","):
        for peer in peers.split(","):
            key = f"{name}/{peer}"
            if key in scores and not again:
                continue
            scores[key] = score(name, peer)
            click.echo(f"{key} {json.dumps(scores[key])}")
            _write(place, json.dumps(scores, indent=1, sort_keys=True) + "\n")
            _write(output / "labels.md", report(scores))


def score(task: str, peer: str) -> dict[str, Any]:
    """Train on the training texts of a task; return the accuracy on its test texts."""
    data: Any = find_tasks([task])[0].load()
    labels = [str(label) for label in data.train.labels]
    with tempfile.TemporaryDirectory() as folder:
        method = label_peer(peer)(Path(folder), os.cpu_count() or 1)
        began = time.perf_counter()
        method.fit(list(data.train.texts), labels)
        seconds = time.perf_counter() - began
        found = method.predict(list(data.test.texts))
    right = sum(a == str(b) for a, b in zip(found, data.test.labels, strict=True))
    facts = environment(_PACKAGES)
    return {
        "accuracy": 100 * right / len(found),
        "train": len(labels),
        "test": len(found),
        "seconds": round(seconds, 1),
        "made": described(facts),
    }


def report(scores: dict[str, Any]) -> str:
    """Return the table, with the tasks on which ours is above, and means over shared tasks."""
    peers = [peer for peer in PEERS if any(key.endswith(f"/{peer}") for key in scores)]
    titles = [label_peer(peer).title for peer in peers]
    tasks = [name for name in TASKS if all(f"{name}/{peer}" in scores for peer in peers)]
    lines = [
        "# Classifiers of raw texts, by task",
        "",
        "`python -m benchmarks.label_tasks`: accuracy on the test texts of one split. All choices",
        "are made on the training texts; the rows share tokens, and psif and TF-IDF also folds,",
        "losses and values of C. Seconds to train are beside other work: see bench.md for speed.",
        "",
        "| task | documents | " + " | ".join(titles) + " | seconds to train |",
        "|---|---|" + "---|" * len(titles) + "---|",
    ]
    for name in tasks:
        rows = [scores[f"{name}/{peer}"] for peer in peers]
        values = " | ".join(f"{row['accuracy']:.1f}" for row in rows)
        seconds = ", ".join(f"{row['seconds']:,.0f}" for row in rows)
        lines.append(f"| {name} | {rows[0]['train']:,} | {values} | {seconds} |")
    if tasks:
        means = [
            sum(scores[f"{name}/{peer}"]["accuracy"] for name in tasks) / len(tasks)
            for peer in peers
        ]
        lines.append("| mean | | " + " | ".join(f"**{mean:.1f}**" for mean in means) + " | |")
        ours = [scores[f"{name}/{peers[0]}"]["accuracy"] for name in tasks]
        lines.append("")
        for peer, title, mean in zip(peers[1:], titles[1:], means[1:], strict=True):
            theirs = [scores[f"{name}/{peer}"]["accuracy"] for name in tasks]
            above = sum(a > b for a, b in zip(ours, theirs, strict=True))
            lines.append(
                f"- Above {title} on {above} of {len(tasks)} tasks, "
                f"mean difference {means[0] - mean:+.2f}."
            )
    made = sorted({row["made"] for row in scores.values()})
    return "\n".join([*lines, "", *(f"Made with {one}." for one in made)]) + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(path) as part:
        part.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    command()
