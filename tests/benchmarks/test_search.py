import json

import pytest

from benchmarks import corpora, search
from psif.evaluation.tasks.base import Documents, LabelledData
from tests.search import collections


@pytest.fixture(autouse=True)
def small_corpus(monkeypatch):
    texts = collections.texts(60)
    data = LabelledData(Documents(texts, [i % 3 for i in range(60)]), Documents([], []))
    made = corpora.LabelledCorpus("small", data)
    monkeypatch.setattr(corpora, "labelled_corpus", lambda: made)


def test_documents_are_of_real_words():
    texts = list(search.documents(5))
    assert [len(text.split()) for text in texts] == [100] * 5
    assert texts == list(search.documents(5))
    assert [len(query.split()) for query in search.queries(3)] == [6] * 3


@pytest.mark.filterwarnings("ignore::psif.PsifWarning")
def test_every_step_and_the_report(tmp_path):
    pytest.importorskip("Stemmer")
    texts = list(search.documents(60))
    source = tmp_path / "documents.txt"
    source.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    found = {"documents": 60, "text_mb": source.stat().st_size / 1e6}
    for step in search.STEPS:
        folder = tmp_path / step.partition("-")[2]
        found[step] = search.run_step(step, source, folder) | {"index_mb": 1.0}
    json.dumps(found)
    assert found["query-psif"]["p50_ms"] > 0
    report = search.report(found)
    assert "60 documents" in report
    assert len(report.splitlines()) == 9
