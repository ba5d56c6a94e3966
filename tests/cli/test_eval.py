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
    assert "Failed: r8, tfidf, inductive: the evaluation sets are not on this machine" in result.stderr
    assert "Error: 1 could not be scored: r8, tfidf, inductive." in result.stderr


def test_settings_of_the_methods(run, tmp_path):
    train = labelled(tmp_path / "train.jsonl", 60, 0)
    args = ["eval", "--train", train, "-m", "psif", "--set", "dim=4"]
    assert "accuracy" in run(*args, "--set", "n_topics=2").stdout
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
    assert "Could not be scored" in (tmp_path / "tables" / "tables.html").read_text("utf-8")
    assert (tmp_path / "tables" / "tables.md").exists()
    assert "Did you mean 'reuters'?" in run("reproduce", "reuter", "-o", "t", code=1).stderr
