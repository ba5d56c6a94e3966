"""Reports of MTEB scores, and the subjects of messages."""

import gzip
import json

from benchmarks.mteb_run import report, tasks


def row(task, model, score, same=False):
    return {"task": task, "kind": "STS", "model": model, "score": score, "same_data": same}


def test_a_table_has_models_by_tasks(tmp_path):
    scores = [
        row("A", "MiniLM", 80.0, same=True), row("A", "psif english", 70.0, same=True),
        row("B", "psif english", 71.0),
    ]  # fmt: skip
    about = {"date": "2026-01-01", "python": "3.11", "cores": 2, "machine": "x", "versions": {}}
    report.write_report(scores, about, tmp_path)
    page = (tmp_path / "mteb.md").read_text(encoding="utf-8")
    assert "| model | A (same) | B | mean |" in page
    # psif first; no mean where a score is missing.
    assert "| psif english | 70.0 | 71.0 | 70.5 |\n| MiniLM | 80.0 |  |  |" in page
    assert json.loads((tmp_path / "mteb.json").read_bytes())["scores"] == scores


def test_subjects_lose_their_replies(tmp_path):
    folder = tmp_path / "20news_bydate"
    folder.mkdir()
    rows = [
        {"text": "From: me\nSubject: Re: RE: Old ships\n\nText", "label": "sea"},
        {"text": "No head", "label": "sky"},
    ]
    with gzip.open(folder / "test.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in rows)
    job = tasks._clusters(folder, "20news subjects")
    assert sorted(job.corpus) == ["", "Old ships"]
