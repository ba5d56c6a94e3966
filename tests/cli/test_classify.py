import csv
import gzip
import json
import re
import shlex
from pathlib import Path

import pytest
from pyarrow import parquet

from psif import PSIFClassifier
from tests.cli.conftest import make_docs, write_jsonl

PAGE = Path(__file__).parents[2] / "docs" / "classify.md"
SMALL = ["--set", "n_topics=3", "--set", "dim=6", "--set", "min_count=1", "-j", "1"]


def labelled(n_docs, seed=0):
    return [{**doc, "label": doc["id"].split("-")[0]} for doc in make_docs(n_docs, seed)]


@pytest.fixture(scope="module")
def classifier(tmp_path_factory):
    from click.testing import CliRunner

    from psif.cli.main import psif

    folder = tmp_path_factory.mktemp("train")
    source = write_jsonl(folder / "docs.jsonl", labelled(45))
    args = ["train", str(source), "-o", str(folder / "clf"), *SMALL]
    result = CliRunner().invoke(psif, args)
    assert result.exit_code == 0, result.output
    return folder / "clf", result


def test_training_saves_a_classifier_and_reports_held_out_documents(classifier):
    folder, result = classifier
    assert PSIFClassifier.load(folder).classes_.tolist() == ["animals", "money", "sea"]
    lines = result.stdout.splitlines()
    assert lines[0] == "accuracy 100.0 on 9 held-out documents"
    assert lines[2].split() == ["class", "precision", "recall", "F1", "documents"]
    assert lines[3].split() == ["animals", "100.0", "100.0", "100.0", "3"]
    assert lines[7] == "confusion: rows are given classes, columns predicted ones"
    assert lines[9].split() == ["1.", "animals", "3", ".", "."]
    assert "3 classes, 45 documents" in result.stderr


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_prediction_in_every_format(run, tmp_path, classifier, ending):
    docs = make_docs(12, seed=1)
    write_jsonl(tmp_path / "new.jsonl", docs)
    out = tmp_path / f"labels.{ending}"
    run("predict", classifier[0], "new.jsonl", "-o", out, "--proba", "--top", 2, "--why")
    if ending == "csv":
        with out.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    elif ending == "jsonl":
        rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    else:
        rows = parquet.read_table(out).to_pylist()
    assert [row["id"] for row in rows] == [doc["id"] for doc in docs]
    clf = PSIFClassifier.load(classifier[0])
    texts = [doc["text"] for doc in docs]
    assert [row["label"] for row in rows] == clf.predict(texts).tolist()
    chances = clf.predict_proba(texts)
    for i, (row, doc) in enumerate(zip(rows, docs, strict=True)):
        assert row["label"] == row["label_1"] == doc["id"].split("-")[0]
        assert float(row["p:money"]) == pytest.approx(chances[i, 1])
        assert float(row["probability_1"]) == pytest.approx(chances[i].max())
        word = clf.explain(doc["text"]).words[0]
        assert row["why"].startswith(f"{word.word} {word.share:+.3f}, ")
    assert "probability_3" not in rows[0]


def test_batches_do_not_change_predictions(run, tmp_path, classifier, monkeypatch):
    write_jsonl(tmp_path / "new.jsonl", make_docs(12, seed=1))
    run("predict", classifier[0], "new.jsonl", "-o", "whole.csv")
    monkeypatch.setattr("psif.files.batches._MOST_ROWS", 5)
    run("predict", classifier[0], "new.jsonl", "-o", "parts.csv")
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_standard_input_and_empty_texts(run, tmp_path, classifier):
    result = run("predict", classifier[0], "-", "-o", "labels.csv", stdin="cat dog\nunheard\n")
    assert "1 of 2 documents have no known word" in result.stderr
    assert (tmp_path / "labels.csv").read_text().splitlines()[:2] == ["id,label", "0,animals"]


def test_several_labels_by_separator_by_columns_and_by_lists(run, tmp_path):
    docs = labelled(40)
    pairs = [(a, b) for a in docs[:20] for b in docs[20:22]] + [(a, a) for a in docs]
    rows = [
        {"text": f"{a['text']} {b['text']}", "x": a["label"], "y": b["label"]} for a, b in pairs
    ]
    joined = [{"text": r["text"], "label": ";".join(sorted({r["x"], r["y"]}))} for r in rows]
    lists = [{"text": r["text"], "label": sorted({r["x"], r["y"]})} for r in rows]
    write_jsonl(tmp_path / "columns.jsonl", rows)
    write_jsonl(tmp_path / "joined.jsonl", joined)
    write_jsonl(tmp_path / "lists.jsonl", lists)
    result = run("train", "joined.jsonl", "--separator", ";", "-o", "a", *SMALL)
    assert "micro F1" in result.stdout.splitlines()[0]
    assert "confusion" not in result.stdout
    run("train", "columns.jsonl", "--label-column", "x", "--label-column", "y",
        "-o", "b", "--no-report", *SMALL)  # fmt: skip
    run("train", "lists.jsonl", "-o", "c", "--no-report", *SMALL)
    write_jsonl(tmp_path / "new.jsonl", docs[:1])
    for name in ("a", "b", "c"):
        run("predict", name, "new.jsonl", "-o", f"{name}.csv", "--separator", "|")
        run("predict", name, "new.jsonl", "-o", f"{name}.jsonl")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "c.csv").read_bytes()
    assert json.loads((tmp_path / "a.jsonl").read_text())["label"] == ["animals"]


def test_json_and_documents_without_a_label(run, tmp_path):
    docs = labelled(30)
    docs[3]["label"], docs[4]["label"] = None, ""
    del docs[5]["label"]
    write_jsonl(tmp_path / "docs.jsonl", docs)
    result = run("train", "docs.jsonl", "-o", "clf", "--json", *SMALL)
    assert "3 documents without a label teach words and topics" in result.stderr
    found = json.loads(result.stdout)
    assert (found["documents"], found["unlabelled"]) == (27, 3)
    assert found["classes"] == ["animals", "money", "sea"]
    assert sum(map(sum, found["held_out"]["confusion"])) == found["held_out"]["documents"]


def test_training_errors(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", labelled(9))
    (tmp_path / "docs.txt").write_text("cat\ndog\n")
    same = [{**doc, "label": "x"} for doc in labelled(9)]
    write_jsonl(tmp_path / "same.jsonl", same)
    write_jsonl(tmp_path / "none.jsonl", [{**doc, "label": None} for doc in labelled(9)])
    for args, message in (
        (["docs.jsonl", "--label-column", "queue"], "no column 'queue'; the other columns are"),
        (["docs.txt"], "documents of this format have no labels"),
        (["same.jsonl"], "only one class, 'x'; 2 or more classes are needed"),
        (["none.jsonl"], "no document has a 'label'"),
        (["docs.jsonl", "--set", "n_topic=3"], "PSIF has no parameter 'n_topic'"),
    ):
        result = run("train", *args, "-o", "clf", code=1)
        assert message in result.stderr
        assert not (tmp_path / "clf").exists()
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one").write_text("dear")
    result = run("train", "docs.jsonl", "-o", "letters", code=1)
    assert "holds other things than a psif classifier" in result.stderr


def test_rare_numerous_and_missing_labels(run, tmp_path):
    rare = labelled(30)
    rare[7]["label"] = "alone"
    write_jsonl(tmp_path / "rare.jsonl", rare)
    result = run("train", "rare.jsonl", "-o", "rare", *SMALL)
    assert "4 classes, 30 documents" in result.stderr
    many = [{"text": "cat dog", "label": f"c{i}"} for i in range(2_001)]
    write_jsonl(tmp_path / "many.jsonl", many)
    result = run("train", "many.jsonl", "-o", "many", code=1)
    assert "2,001 classes; at most 2,000 are supported" in result.stderr
    with (tmp_path / "long.csv").open("w", encoding="utf-8") as file:
        file.write("text,queue\n" + "cat,a\n" * 1_500 + '"cut off,b\n')
    result = run("train", "long.csv", "-o", "long", code=1)
    assert "no column 'label'; the other columns are queue" in result.stderr  # told early


def test_the_report_as_a_page(run, tmp_path):
    docs = labelled(45)
    docs[0]["label"], docs[0]["text"] = "money", f"<script>alert(1)</script> {docs[0]['text']}"
    for doc in docs[1::9]:
        doc["label"] = "money" if doc["label"] != "money" else "sea"
    write_jsonl(tmp_path / "docs.jsonl", docs)
    run("train", "docs.jsonl", "-o", "clf", "--html", "report.html", *SMALL)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "held-out documents</b>" in page
    assert 'aria-label="confusion matrix of 3 classes"' in page
    assert "<title>animals as animals: " in page
    assert "The surest mistakes" in page
    assert "hsla(" in page  # tinted words
    assert "<script" not in page
    assert "default-src 'none'" in page
    result = run("train", "docs.jsonl", "-o", "clf", "--html", "r.html", "--no-report", code=2)
    assert "--html needs the report" in result.stderr


def test_an_explained_label(run, tmp_path, classifier):
    (tmp_path / "text.txt").write_text("the cat and the dog")
    result = run("explain", classifier[0], "@text.txt", "--json")
    found = json.loads(result.stdout)
    assert found["label"] == "animals"
    shares = [word["share"] for word in found["words"]]
    assert found["bias"] + sum(shares) == pytest.approx(found["score"], abs=1e-6)
    args = ["explain", classifier[0], "cat stock", "--label", "money", "--against", "sea"]
    assert run(*args).stdout.startswith("money against sea: score ")
    result = run("explain", classifier[0], "cat", "--label", "planes", code=1)
    assert "no class is called 'planes'" in result.stderr
    result = run("explain", classifier[0], "cat", "dog", code=2)
    assert "is a classifier, which explains one text; got 2" in result.stderr
    result = run("explain", classifier[0] / "model", "cat", "dog", "--label", "x", code=2)
    assert "--label and --against are for classifiers" in result.stderr
    result = run("explain", classifier[0] / "model", "cat", code=2)
    assert "explains two texts; got 1" in result.stderr


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_an_interrupted_prediction_is_resumed(run, tmp_path, classifier, monkeypatch, ending):
    from psif.cli import predicting

    write_jsonl(tmp_path / "new.jsonl", make_docs(12, seed=1))
    args = ["predict", classifier[0], "new.jsonl", "--top", 2]
    monkeypatch.setattr("psif.files.batches._MOST_ROWS", 5)
    run(*args, "-o", f"whole.{ending}")
    chunk, calls = predicting.LabelRecords.chunk, []

    def breaks(self, batch):
        calls.append(len(batch))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return chunk(self, batch)

    monkeypatch.setattr(predicting.LabelRecords, "chunk", breaks)
    result = run(*args, "-o", f"out.{ending}", code=1)
    assert "add --resume to continue" in result.stderr
    assert not (tmp_path / f"out.{ending}").exists()
    result = run(*args[:-1], 1, "-o", f"out.{ending}", "--resume", code=1)
    assert "cannot resume: " in result.stderr
    result = run(*args, "-o", f"out.{ending}", "--resume")
    assert "resuming after 5 documents" in result.stderr
    assert calls == [5, 5, 5, 2]  # the first batch was not predicted again
    whole, out = (tmp_path / f"{name}.{ending}" for name in ("whole", "out"))
    assert out.read_bytes() == whole.read_bytes()
    assert not (tmp_path / f"out.{ending}.part").exists()


def test_prediction_errors(run, tmp_path, classifier):
    write_jsonl(tmp_path / "new.jsonl", make_docs(3))
    result = run("predict", classifier[0], "new.jsonl", "-o", "labels.npy", code=1)
    assert "the ending must be one of .csv, .jsonl, .parquet" in result.stderr
    result = run("predict", classifier[0] / "model", "new.jsonl", "-o", "labels.csv", code=1)
    assert "is no classifier (its format is 'psif-model')" in result.stderr
    result = run("predict", classifier[0], "new.jsonl", "-o", "new.jsonl", code=1)
    assert "is an input" in result.stderr
    (tmp_path / "bad.jsonl").write_text('{"text": "cat"}\n{"text": 3}\n')
    run("predict", classifier[0], "bad.jsonl", "-o", "labels.csv", code=1)
    assert not (tmp_path / "labels.csv").exists()


@pytest.mark.filterwarnings("ignore::psif.errors.PsifWarning")
def test_commands_and_code_of_the_page(run, tmp_path):
    docs = [{"id": doc["id"], "body": doc["text"], "queue": doc["label"]} for doc in labelled(60)]
    with (tmp_path / "tickets.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(docs[0]))
        writer.writeheader()
        writer.writerows(docs)
    with gzip.open(tmp_path / "new.csv.gz", "wt", encoding="utf-8") as file:
        file.write("id,body\n1,the cat and the dog\n2,stock market\n")
    page = PAGE.read_text(encoding="utf-8")
    commands = re.findall(r"^\$ psif (.*)$", page, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        run(*shlex.split(command))
    assert len((tmp_path / "why.jsonl").read_text().splitlines()) == 2
    texts = [doc["body"] for doc in docs]
    names = {"texts": texts, "y": [doc["queue"] for doc in docs], "more_texts": texts[:5]}
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, names)
