"""Several seeds: what is scored, what is kept, and which documents it is about."""

from __future__ import annotations

import numpy as np
import pytest

from psif.errors import InputError
from psif.evaluation import run
from psif.evaluation.runner import seeds
from psif.evaluation.runner.seeds import by_method, score_seeds
from tests.evaluation.runner.test_evaluate import class_task, label_task, pair_task


def test_scores_are_those_of_the_runner(tmp_path):
    task = class_task()
    (found,) = score_seeds(task, ["tfidf"], range(1), cache=tmp_path, n_jobs=1)
    report = run([task], ["tfidf"], n_jobs=1)
    (accuracy,) = (r.score for r in report.results if r.metric == "accuracy")
    assert found.score == pytest.approx(accuracy)
    assert found.documents.tolist() == list(range(60, 90))


def test_the_first_of_several_labels_is_p_at_1(tmp_path):
    task = label_task()
    (found,) = score_seeds(task, ["tfidf"], range(1), cache=tmp_path, n_jobs=1)
    report = run([task], ["tfidf"], n_jobs=1)
    (first,) = (r.score for r in report.results if r.metric == "P@1")
    assert found.score == pytest.approx(first)


def test_drawn_splits_name_their_documents(tmp_path):
    task = class_task(own_split=True)
    data = task.load()
    found = score_seeds(task, ["bow", "tfidf"], range(2), cache=tmp_path, n_jobs=1)
    assert [(one.method, one.seed) for one in found] == [
        ("bow", 0), ("tfidf", 0), ("bow", 1), ("tfidf", 1),
    ]  # fmt: skip
    for one in found:
        texts = [data.together.texts[i] for i in one.documents]
        assert texts == list(data.resplit(one.seed).test.texts)
    assert found[0].documents.tolist() != found[2].documents.tolist()
    both = by_method(found, "tfidf")
    assert both.correct.tolist() == [*found[1].correct, *found[3].correct]
    assert len(both.documents) == 60


def test_finished_seeds_are_not_scored_again(tmp_path, monkeypatch):
    task, told = class_task(), []
    once = score_seeds(task, ["tfidf"], range(2), cache=tmp_path, n_jobs=1)
    monkeypatch.setattr(seeds, "score_labelled", None)
    again = score_seeds(task, ["tfidf"], range(2), cache=tmp_path, n_jobs=1, tell=told.append)
    assert told == [f"groups, tfidf, inductive, seed {seed}: known already" for seed in (0, 1)]
    for one, two in zip(once, again, strict=True):
        np.testing.assert_array_equal(one.correct, two.correct)
    # A damaged file is scored again, which is not possible here.
    for path in tmp_path.glob("seeds-*.json"):
        path.write_text("{", encoding="utf-8")
    with pytest.raises(TypeError):
        score_seeds(task, ["tfidf"], range(1), cache=tmp_path, n_jobs=1)


def test_sentences_have_no_labels(tmp_path):
    with pytest.raises(InputError, match="has no labels of documents"):
        score_seeds(pair_task(), ["sif"], range(2), cache=tmp_path)
