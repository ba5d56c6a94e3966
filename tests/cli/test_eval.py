import gzip
import json

import numpy as np

from tests.cli.conftest import make_docs, write_jsonl


def labelled(path, n_docs, seed):
    docs = make_docs(n_docs, seed)
    return write_jsonl(path, [{**doc, "label": doc["id"].split("-")[0]} for doc in docs])


def test_own_files_as_json(run, tmp_path):
    train = labelled(tmp_path / "train.jsonl", 60, 0)
    test = labelled(tmp_path / "test.jsonl", 30, 1)
    args = ["eval", "--train", train, "--test", test, "--method", "tfidf,bow", "--json"]
    result = run(*args, "--cache", "kept")
    rows = json.loads(result.stdout)
    wanted = {"task", "method", "protocol", "metric", "score", "seconds", "published"}
    assert all(wanted <= set(row) for row in rows)
    scores = {row["method"]: row["score"] for row in rows if row["metric"] == "accuracy"}
    assert set(scores) == {"tfidf", "bow"}
    assert np.mean(list(scores.values())) > 95
    assert "train, tfidf, inductive: accuracy" in result.stderr
    again = run(*args, "--cache", "kept")
    assert "known already" in again.stderr
    assert json.loads(again.stdout) == rows


def test_a_table_for_people(run, tmp_path):
    train = labelled(tmp_path / "train.jsonl", 60, 0)
    lines = run("eval", "--train", train, "--method", "tfidf").stdout.splitlines()
    assert lines[0].split()[:5] == ["task", "method", "protocol", "metric", "score"]
    assert "±" in lines[1]


def test_a_failure_leaves_the_other_results(run, tmp_path, monkeypatch):
    monkeypatch.delenv("PSIF_DATA", raising=False)
    train = labelled(tmp_path / "train.jsonl", 60, 0)
    result = run("eval", "r8", "--train", train, "--method", "tfidf", code=1)
    assert "accuracy" in result.stdout
    assert (
        "Failed: r8, tfidf, inductive: the evaluation sets are not on this machine" in result.stderr
    )
    assert "Error: 1 could not be scored: r8, tfidf, inductive." in result.stderr


def test_settings_of_the_methods(run, tmp_path):
    train = labelled(tmp_path / "train.jsonl", 60, 0)
    args = ["eval", "--train", train, "-m", "psif", "--set", "dim=4"]
    assert "accuracy" in run(*args, "--set", "n_topics=2").stdout
    joined = run(*args, "--set", "n_topics=2", "--set", "phrases=1")
    assert "accuracy" in joined.stdout
    assert "Warning" not in joined.stderr
    result = run(*args, "--set", "n_topic=2", code=1)
    assert "has no option 'n_topic'" in result.stderr
    assert "expected NAME=VALUE" in run(*args, "--set", "dim", code=2).stderr


def test_lists(run):
    assert "20news " in run("eval", "--list").stdout
    assert "group: sts12" in run("eval", "--list").stdout
    methods = json.loads(run("eval", "--list-methods", "--json").stdout)
    assert "psif" in [row["method"] for row in methods]


def test_wrong_usage(run):
    assert "name a TASK" in run("eval", code=2).stderr
    assert "--test needs --train" in run("eval", "--test", "x.csv", code=2).stderr
    assert "Did you mean '20news'?" in run("eval", "20new", code=1).stderr
    assert "Did you mean 'tfidf'?" in run("eval", "r8", "-m", "tfidff", code=1).stderr


def test_reproduce_writes_both_pages_and_names_what_failed(run, tmp_path, monkeypatch):
    monkeypatch.delenv("PSIF_DATA", raising=False)
    assert "word-mover" in run("reproduce", "--list").stdout
    result = run("reproduce", "newsgroups", "-o", "tables", "-m", "tfidf", code=1)
    assert "2 could not be scored: 20news, tfidf, paper: the evaluation sets" in result.stderr
    assert "Not scored" in (tmp_path / "tables" / "tables.html").read_text("utf-8")
    assert (tmp_path / "tables" / "tables.md").exists()
    assert "Did you mean 'reuters'?" in run("reproduce", "reuter", "-o", "t", code=1).stderr


def test_reproduce_keeps_scores_from_which_pages_are_made_again(run, tmp_path, monkeypatch):
    with_labels = [{**doc, "label": doc["id"].split("-")[0]} for doc in make_docs(60, 0)]
    (tmp_path / "data" / "reuters_r8").mkdir(parents=True)
    for split in ("train", "test"):
        lines = "".join(json.dumps(doc) + "\n" for doc in with_labels)
        path = tmp_path / "data" / "reuters_r8" / f"{split}.jsonl.gz"
        path.write_bytes(gzip.compress(lines.encode()))
    monkeypatch.setenv("PSIF_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    args = ["reproduce", "word-mover", "-o", "tables", "-m", "tfidf"]
    assert "has no scores" in run(*args, "--report-only", code=1).stderr
    # The other sets are not there: they fail, and what was scored is kept.
    assert "bbcsport, tfidf, paper" in run(*args, code=1).stderr
    folder = tmp_path / "tables"
    assert sorted(path.name for path in folder.iterdir()) == [
        ".cache", "runs.csv", "scores.csv", "tables.html", "tables.md",
    ]  # fmt: skip
    assert (folder / ".cache" / ".gitignore").read_text() == "*\n"
    assert "r8,tfidf,inductive,accuracy,100," in (folder / "scores.csv").read_text("utf-8")
    assert "psif reproduce word-mover -o tables" in (folder / "runs.csv").read_text("utf-8")
    plan = run(*args, "--plan").stdout
    assert "r8, tfidf, inductive  (scored 2" in plan
    assert "for the 14 that tables does not have" in plan
    assert "for the 7 that tables" in run(*args, "--plan", "--protocol", "honest").stdout
    monkeypatch.delenv("PSIF_DATA")
    pages = {name: (folder / name).read_text("utf-8") for name in ("tables.md", "tables.html")}
    for name in pages:
        (folder / name).unlink()
    run(*args, "--report-only")
    # Failures belong to a run; the rest of the page is the same.
    again = (folder / "tables.md").read_text("utf-8")
    assert again.split("## Not scored")[0] == pages["tables.md"].split("## Not scored")[0]
    assert "other folder" in run(*args, "--sample", "20", code=1).stderr


def test_reproduce_with_several_seeds(run, tmp_path, monkeypatch):
    from psif.evaluation.tasks import TASKS
    from tests.evaluation.runner.test_evaluate import class_task

    tasks = {**TASKS, "bbcsport": class_task("bbcsport", own_split=True)}
    monkeypatch.setattr("psif.evaluation.paper.reproduction.TASKS", tasks)
    arguments = ("--seeds", "2", "--task", "bbcsport", "--method", "bow,tfidf")
    result = run("reproduce", "-o", tmp_path, *arguments, "--protocol", "inductive", "--jobs", "1")
    assert result.exit_code == 0, result.output
    rows = (tmp_path / "seeds.csv").read_text("utf-8").splitlines()
    assert [row.split(",")[:4] for row in rows[1:]] == [
        ["bbcsport", "inductive", "bow", ""],
        ["bbcsport", "inductive", "tfidf", ""],
    ]
    assert "| bbcsport | 2 |" in (tmp_path / "tables.md").read_text("utf-8")
