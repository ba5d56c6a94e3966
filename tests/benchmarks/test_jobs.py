"""Jobs about parts of psif, at their smallest and in this process."""

import json
import sys

import numpy as np
import pytest
from benchmarks.corpora import generated
from benchmarks.jobs import Context, command_line, find_job
from benchmarks.jobs.trainers import ridge_scores
from benchmarks.plan import make_plan
from benchmarks.sizes import SIZES

QUICK = (
    "tokenizing", "trainers/ppmi", "trainers/growth/ppmi/2", "growth/corpus/2", "large",
    "classify/psif", "classify/tfidf-svc", "classify/growth/200",
)  # fmt: skip


@pytest.fixture(scope="module")
def context(tmp_path_factory):
    """A workspace that holds its documents already: finding docstrings takes seconds."""
    folder = tmp_path_factory.mktemp("workspace")
    texts = generated(1200, n_words=40, vocabulary=300)
    # A class has words of its own.
    found = {f"m{i % 7}.{i}": f"{text} {f'own{i % 7} ' * 20}" for i, text in enumerate(texts)}
    (folder / "docstrings.json").write_text(json.dumps(found), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PSIF_DATA", raising=False)
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield Context(folder, SIZES["tiny"], 1, 0.0)


def plan():
    return {job.name: job for size in SIZES.values() for job in make_plan(size, 2)}


def test_every_job_has_its_function():
    for job in plan().values():
        assert callable(find_job(job.kind)), job.name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", [job.name for job in make_plan(SIZES["tiny"], 2) if job.name.startswith(QUICK)]
)
def test_a_job_measures(name, context):
    job = {job.name: job for job in make_plan(SIZES["tiny"], 2)}[name]
    values = find_job(job.kind)(context, **job.arguments)
    rows = values["ways"].values() if "ways" in values else [values]
    for row in rows:
        assert row["seconds"] > 0
    if "score" in values:
        assert 50 < values["score"] <= 100


def test_the_command_line_and_tfidf_take_turns(context, monkeypatch):
    calls = []

    def run(*arguments, **variables):
        calls.append("saved" if "--model" in arguments else "fit")
        assert arguments[:4] == (sys.executable, "-m", "psif", "embed")
        return {"seconds": 2.0, "cpu_seconds": 3.0, "peak_mb": 100.0}

    monkeypatch.setattr(command_line, "run_command", run)
    monkeypatch.setattr(command_line, "cost", lambda function: calls.append("tfidf") or {})
    three = Context(context.workspace, SIZES["quick"], 1, 0.0)
    values = command_line.embed(three)
    assert calls == ["fit", *("tfidf", "fit", "saved") * SIZES["quick"].rounds]
    assert [list(row) for row in values["rounds"]] == 3 * [["tfidf", "fit", "saved"]]
    (file,) = three.corpus_files()
    assert len(file.read_text(encoding="utf-8").splitlines()) == values["documents"]


def test_least_squares_separate_what_is_separable():
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 3, 200)
    x = (np.eye(3)[classes] + 0.05 * rng.standard_normal((200, 3))).astype(np.float32)
    targets = np.where(np.eye(3)[classes] > 0, 1, -1).astype(np.float32)
    scores = ridge_scores(x[:150], targets[:150], x[150:])
    assert (scores.argmax(axis=1) == classes[150:]).all()
