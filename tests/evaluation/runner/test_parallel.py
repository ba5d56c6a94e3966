import gzip
import json

import pytest

from psif.errors import InputError
from psif.evaluation import run
from psif.evaluation.paper.reproduction import reproduce
from psif.evaluation.runner.parallel import (
    reproduce_in_parallel,
    run_in_parallel,
    seeds_in_parallel,
)
from psif.evaluation.runner.seeds import score_seeds
from psif.evaluation.tasks import find_tasks


@pytest.fixture
def sets(tmp_path, monkeypatch):
    """Two tiny sets; the others are missing."""
    monkeypatch.setenv("PSIF_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    subjects = {"sea": "ship wave sail storm", "money": "bank stock price loan"}
    for name in ("reuters_r8", "ohsumed10"):
        (tmp_path / name).mkdir()
        for split in ("train", "test"):
            rows = [
                {"id": i, "text": f"{words} {name} {i}", "label": label}
                for i in range(20)
                for label, words in subjects.items()
            ]
            with gzip.open(tmp_path / name / f"{split}.jsonl.gz", "wt") as file:
                file.writelines(json.dumps(row) + "\n" for row in rows)
    return tmp_path


def test_tasks_in_parallel_give_the_same_scores_as_one_after_the_other(sets):
    options = {"n_splits": 1, "general_vectors": None}
    lines = []
    found = reproduce_in_parallel(
        ["word-mover"], ["tfidf"], folder=sets / "a", n_workers=2, tell=lines.append, **options
    )
    single = reproduce(["word-mover"], ["tfidf"], folder=sets / "b", **options)

    def scores(done):
        return sorted((r.task, r.protocol, r.metric, r.score) for r in done.results)

    assert scores(found) == scores(single)
    assert {r.task for r in found.results if "/" not in r.task} == {"r8", "ohsumed"}
    assert len(found.failures) == len(single.failures) == 2 * 6
    assert len(found.missing) == 2 * 6
    files = [(sets / name / "scores.csv").read_text() for name in "ab"]
    assert files[0] == files[1]
    assert any("[16 of 16 parts]" in line for line in lines)
    lines.clear()
    reproduce_in_parallel(
        ["word-mover"], ["tfidf"], folder=sets / "c", n_workers=2, tell=lines.append,
        protocols=["honest"], **options,
    )  # fmt: skip
    assert any("[8 of 8 parts]" in line for line in lines)


def test_an_evaluation_in_parallel_gives_the_same_report(sets):
    options = {"methods": ["tfidf"], "measures": ["classification"]}
    lines = []
    found = run_in_parallel(["r8", "ohsumed", "amazon"], n_workers=2, tell=lines.append, **options)
    single = run(["r8", "ohsumed", "amazon"], **options)

    def scores(done):
        return [(r.task, r.protocol, r.metric, r.score) for r in done.results]

    assert scores(found) == scores(single)
    assert found.failures == single.failures
    assert [f.task for f in found.failures] == ["amazon"]
    assert len(lines) == 3


def test_seeds_in_parallel_give_the_same_decisions(sets):
    tasks, methods = find_tasks(["r8", "ohsumed"]), ["tfidf", "bow"]
    options = {"protocols": ["inductive"], "cache": sets / "a", "n_workers": 2}
    found = {task.name: rows for task, _, rows in seeds_in_parallel(tasks, methods, 2, **options)}
    for task in tasks:
        single = score_seeds(task, methods, range(2), cache=sets / "b", n_jobs=1)
        assert [(one.method, one.seed) for one in found[task.name]] == [
            (one.method, one.seed) for one in single
        ]
        for one, two in zip(found[task.name], single, strict=True):
            assert one.documents.tolist() == two.documents.tolist()
            assert one.correct.tolist() == two.correct.tolist()


def test_a_wrong_name_is_told_before_processes_start(sets):
    with pytest.raises(InputError, match="nonsense"):
        run_in_parallel(["r8"], n_workers=2, methods=["tfidf"], protocols=["nonsense"])
