"""The report: results/mteb.md and results/mteb.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from psif.runtime.atomic import atomic_path
from psif.runtime.provenance import described

_KINDS = {
    "STS": (
        "Sentence pairs",
        "MTEB's own tasks; Spearman correlation of cosines × 100. `same` says that the number of "
        "pairs and their mean score are those that MTEB publishes about its data. The texts of STS "
        "Benchmark and SICK-R have as many characters too; those of STS12 to 16 have 2 to 3 % "
        "fewer than MTEB's copy of the same pairs. "
        "`psif default` and `psif similarity` are fitted on the sentences of the task.",
    ),
    "Classification": (
        "Classification",
        "MTEB's protocol on local documents: logistic regression on 8 documents per class, mean "
        "accuracy of 10 draws × 100, at most 2,000 test documents. psif is fitted on up to 6,000 "
        "training documents, without labels.",
    ),
    "Clustering": (
        "Clustering",
        "MTEB's protocol on local documents: k-means with as many clusters as classes, V-measure × "
        "100, at most 2,000 documents, on which psif is fitted too.",
    ),
}


def write_report(scores: list[dict[str, Any]], about: dict[str, Any], output: Path) -> None:
    """Write both files."""
    lines = [
        "# MTEB",
        "",
        f"`python -m benchmarks.mteb_run -o results`; {described(about)}.",
        "",
        "Models: psif english is the model inside the package, trained on the sentence vectors of "
        "a transformer. psif default and the presets learn from the texts of each task alone, "
        "without labels; the preset similarity takes word vectors from a file. model2vec is a "
        "table of 256 numbers per token, distilled from all-MiniLM-L6-v2 in the way of the "
        "package; MiniLM is all-MiniLM-L6-v2 itself, on tasks of short texts. All read the same "
        "texts, without prompts.",
        "",
        "Comparable with published numbers: the sentence pairs marked `same`, with the entries of "
        "the same tasks and the same main score on MTEB's leaderboard. Not comparable: "
        "classification and clustering, whose documents are not those of MTEB (its 20 Newsgroups "
        "are subject lines of another sample). STS Benchmark and STS12 to 16 share pairs.",
    ]
    for kind, (title, note) in _KINDS.items():
        part = [score for score in scores if score["kind"] == kind]
        if part:
            lines += ["", f"## {title}", "", note, "", *_table(part)]
    with atomic_path(output / "mteb.md") as path:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with atomic_path(output / "mteb.json") as path:
        content = {"about": about, "scores": scores}
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _table(scores: list[dict[str, Any]]) -> list[str]:
    tasks = list(dict.fromkeys(score["task"] for score in scores))
    found = {(score["task"], score["model"]): score["score"] for score in scores}
    models = list(dict.fromkeys(score["model"] for score in scores))
    models.sort(key=lambda name: not name.startswith("psif"))
    same = {score["task"] for score in scores if score["same_data"]}
    heads = [f"{task}{' (same)' if task in same else ''}" for task in tasks]
    lines = [f"| model | {' | '.join(heads)} | mean |", "|---|" + "---:|" * (len(tasks) + 1)]
    for model in models:
        values = [found.get((task, model)) for task in tasks]
        cells = ["" if value is None else f"{value:.1f}" for value in values]
        known = [value for value in values if value is not None]
        mean = f"{sum(known) / len(known):.1f}" if len(known) == len(tasks) else ""
        lines.append(f"| {model} | {' | '.join(cells)} | {mean} |")
    return lines
