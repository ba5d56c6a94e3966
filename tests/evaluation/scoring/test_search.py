"""Search as a task: its files, its methods, and what it needs."""

import gzip
import json
import os

import numpy as np
import pytest

from psif.errors import FormatError, InputError
from psif.evaluation import SearchData, Task, collection_files, run
from psif.evaluation.tasks.search import read_collection
from tests.search.collections import FOOD, SEA, SKY, texts

METHODS = ["bm25", "bm25-stemmed", "tfidf", "sif", "psif", "hybrid"]
SMALL = {"dim": 6, "min_count": 1}


def collection():
    docs = {f"d{i}": text for i, text in enumerate(texts(60))}
    queries = {"sea": "ship storm", "sky": "plane cloud", "food": "bread soup"}
    judged = {q: {f"d{i}": 1 for i in range(n, 60, 3)} for n, q in enumerate(queries)}
    return SearchData(docs, queries, judged)


def task(data):
    return Task("mine", "mine", "search", lambda: data, "here", "")


def write(folder, data):
    with gzip.open(folder / "corpus.jsonl.gz", "wt") as file:
        for key, text in data.documents.items():
            title, _, rest = text.partition(" ")
            file.write(json.dumps({"_id": key, "title": title, "text": rest}) + "\n")
    with (folder / "queries.jsonl").open("w") as file:
        for key, text in data.queries.items():
            file.write(json.dumps({"_id": key, "text": text}) + "\n")
    rows = ["query-id\tcorpus-id\tscore"]
    rows += [f"{q}\t{d}\t{g}" for q, grades in data.judgements.items() for d, g in grades.items()]
    (folder / "qrels.tsv").write_text("\n".join(rows) + "\n")
    return folder / "corpus.jsonl.gz", folder / "queries.jsonl", folder / "qrels.tsv"


@pytest.mark.filterwarnings("ignore::psif.PsifWarning")
@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_documents_of_the_subject(method):
    report = run([task(collection())], [method], n_jobs=1)
    assert not report.failures
    found = {result.metric: result.score for result in report.results}
    assert list(found) == ["nDCG@10", "nDCG@10 (2^g-1)", "recall@100", "MAP", "MRR@10"]
    # The three subjects share no word but little ones.
    assert not set(SEA) & set(SKY) & set(FOOD)
    assert found["MRR@10"] == 100
    assert found["nDCG@10"] > 90


def test_files_of_beir_are_read(tmp_path):
    data = collection()
    assert read_collection(*write(tmp_path, data)) == data
    task = collection_files(*write(tmp_path, data))
    assert task.kind == "search"
    assert task.load() == data


def test_judgements_of_trec_and_without_a_header(tmp_path):
    files = write(tmp_path, collection())
    files[2].write_text("sea 0 d0 2\nsea 0 d1 0\nsky\td2\t1\n")
    expected = {"sea": {"d0": 2, "d1": 0}, "sky": {"d2": 1}}
    assert read_collection(*files).judgements == expected


def test_files_that_do_not_fit_are_told(tmp_path):
    files = write(tmp_path, collection())
    files[2].write_text("other\td0\t1\n")
    with pytest.raises(InputError, match="no query of it is in"):
        read_collection(*files)
    files[2].write_text("sea\tnothing\t1\n")
    with pytest.raises(InputError, match="no document of it is in"):
        read_collection(*files)
    files[2].write_text("sea\td0\t1\nsea\td1\thigh\n")
    with pytest.raises(FormatError, match="line 2: expected a query, a document and a number"):
        read_collection(*files)
    with pytest.raises(InputError, match="no such file"):
        collection_files(*files[:2], tmp_path / "nothing")
    files[1].write_text('{"_id": "sea", "text": "a"}\n{"_id": "sea", "text": "b"}\n')
    with pytest.raises(InputError, match="'sea' is given twice"):
        read_collection(*files)


def test_methods_that_cannot_rank_say_so():
    report = run([task(collection())], ["rwmd", "boe"], n_jobs=1)
    assert len(report.failures) == 2
    assert all("gives no ranking" in failure.reason for failure in report.failures)
    report = run([task(collection())], ["bm25"], protocols=["paper"])
    assert "use the protocol inductive" in report.failures[0].reason


def test_the_command_line_scores_own_collections(tmp_path):
    from click.testing import CliRunner

    from psif.cli.main import psif

    corpus, queries, qrels = map(str, write(tmp_path, collection()))
    arguments = ["eval", "--corpus", corpus, "--queries", queries, "--method", "bm25", "--json"]
    result = CliRunner().invoke(psif, [*arguments, "--qrels", qrels])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    assert {row["metric"] for row in rows} >= {"nDCG@10", "recall@100", "MAP", "MRR@10"}
    result = CliRunner().invoke(psif, arguments)
    assert result.exit_code == 2
    assert "--qrels together" in result.output


@pytest.mark.skipif(
    not os.environ.get("PSIF_DATA"), reason="PSIF_DATA names no folder with the evaluation sets"
)
def test_hybrid_is_better_than_stemmed_bm25_on_cranfield():
    report = run(["cranfield"], ["bm25", "bm25-stemmed", "hybrid"])
    scores = {(r.method, r.metric): r.score for r in report.results}
    for metric in ("nDCG@10", "recall@100", "MAP"):
        one, two, three = (scores[method, metric] for method in ("bm25", "bm25-stemmed", "hybrid"))
        assert one < two < three - 2
    assert np.isfinite(list(scores.values())).all()
