"""The table of classifiers by task."""

from benchmarks import label_tasks


def row(accuracy, made="today"):
    return {"accuracy": accuracy, "train": 1_000, "test": 10, "seconds": 2.0, "made": made}


def test_the_report_counts_wins_and_means_over_tasks_that_all_have():
    scores = {
        "r8/psif": row(98.0), "r8/tfidf-svc": row(97.0), "r8/fasttext": row(98.5),
        "classic/psif": row(96.0), "classic/tfidf-svc": row(96.0), "classic/fasttext": row(90.0),
        "amazon/psif": row(50.0),
    }  # fmt: skip
    text = label_tasks.report(scores)
    assert "| classic | 1,000 | 96.0 | 96.0 | 90.0 | 2, 2, 2 |" in text
    assert "amazon" not in text
    assert "| mean | | **97.0** | **96.5** | **94.2** | |" in text
    assert "Above TF-IDF + LinearSVC on 1 of 2 tasks, mean difference +0.50." in text
    assert "Above fastText, 25 epochs on 1 of 2 tasks, mean difference +2.75." in text


def test_a_run_scores_what_is_missing(tmp_path, monkeypatch):
    asked = []

    def score(task, peer):
        asked.append(f"{task}/{peer}")
        return row(90.0)

    monkeypatch.setattr(label_tasks, "score", score)
    run = label_tasks.command.callback
    run(output=tmp_path, only="r8", peers="psif", again=False)
    run(output=tmp_path, only="r8,classic", peers="psif", again=False)
    assert asked == ["r8/psif", "classic/psif"]
    assert "| classic |" in (tmp_path / "labels.md").read_text(encoding="utf-8")
