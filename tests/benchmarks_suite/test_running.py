import json
from dataclasses import replace

import pytest
from benchmarks import running
from benchmarks.plan import Job
from benchmarks.running import MeasurementError, run_alone, run_jobs
from benchmarks.sizes import SIZES
from benchmarks.store import Store

SIZE = SIZES["tiny"]
FIT = Job("fit/a/2", "fit", {"peer": "a"}, 2, product="models/a")
EMBED = Job("embed/a/2", "embed", {"peer": "a"}, 2, needs=("fit/a/2",))
ABSENT = Job("embed/b/2", "embed", {"peer": "b"}, 2, skip="needs the package b")
DEAR = Job("vectors/v", "vectors", {}, 2, costly=True)
NEEDY = Job("fit/c/2", "fit", {"peer": "c"}, 2, needs=("vectors/v",))
ALL = [FIT, EMBED, ABSENT, DEAR, NEEDY]


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path, SIZE, "some texts")


@pytest.fixture
def calls(monkeypatch, store):
    """Measurements that were really made; each fit leaves its model."""
    made = []

    def measure(job, store, size):
        made.append(job.name)
        if job.product is not None:
            (store.workspace / job.product).mkdir(parents=True, exist_ok=True)
        return {"number": len(made)}

    monkeypatch.setattr(running, "run_alone", measure)
    return made


def test_a_run_goes_on_where_it_was(store, calls):
    first = run_jobs(ALL, [FIT, EMBED, ABSENT, NEEDY], store, SIZE)
    assert calls == ["fit/a/2", "embed/a/2"]
    again = run_jobs(ALL, [FIT, EMBED, ABSENT, NEEDY], store, SIZE)
    assert calls == ["fit/a/2", "embed/a/2"]
    assert again == first
    run_jobs(ALL, [EMBED], store, SIZE, again=True)
    assert calls == ["fit/a/2", "embed/a/2", "embed/a/2"]


def test_what_is_missing_has_a_reason(store, calls):
    done = run_jobs(ALL, [ABSENT, NEEDY], store, SIZE)
    assert done.skipped == {
        "fit/a/2": "not asked for",
        "embed/a/2": "not asked for",
        "embed/b/2": "needs the package b",
        "vectors/v": "takes minutes: --costly measures it once",
        "fit/c/2": "needs vectors/v, which takes minutes: --costly measures it once",
    }


def test_a_failure_does_not_stop_the_others(store, monkeypatch):
    def measure(job, store, size):
        if job is FIT:
            raise MeasurementError("ValueError: no")
        return {}

    monkeypatch.setattr(running, "run_alone", measure)
    done = run_jobs(ALL, ALL, store, SIZE)
    assert done.failed == {"fit/a/2": "ValueError: no"}
    assert done.skipped["embed/a/2"] == "needs fit/a/2, which failed: ValueError: no"
    assert "vectors/v" in done.results
    assert store.get(FIT) is None


def test_kept_only_under_the_same_corpus_versions_and_products(tmp_path, store, calls, monkeypatch):
    run_jobs(ALL, [FIT], store, SIZE)
    assert store.get(FIT) == {"number": 1}
    assert Store(tmp_path, SIZE, "other texts").get(FIT) is None
    with monkeypatch.context() as patch:
        patch.setattr("benchmarks.store.versions", lambda packages: {"numpy": "0"})
        assert store.get(FIT) is None
    (store.workspace / "models" / "a").rmdir()
    assert store.get(FIT) is None


def test_a_damaged_file_is_measured_again(store, calls, tmp_path):
    run_jobs(ALL, [FIT], store, SIZE)
    (tmp_path / "tiny" / "fit-a-2.json").write_text("{")
    assert store.get(FIT) is None


def test_a_real_process(store):
    job = Job("roofline/1", "roofline", {}, 1)
    result = run_alone(job, store, SIZE)
    names = {row["name"] for row in result["kernels"]}
    assert names >= {"OMP", "averaging", "averaging and removal"}
    for row in result["kernels"]:
        assert row["fraction"] == pytest.approx(row["flops_a_second"] / row["ceiling"])
    json.dumps(result)


def test_a_process_that_fails_says_why(store):
    job = Job("fit/no", "fit", {"peer": "no"}, 1)
    with pytest.raises(MeasurementError, match="no peer is called 'no'"):
        run_alone(job, store, SIZE)


def test_other_settings_are_measured_anew(store, calls):
    run_jobs([FIT], [FIT], store, SIZE)
    run_jobs([FIT], [FIT], store, SIZE)
    changed = replace(FIT, settings={"n_topics": 3})
    run_jobs([changed], [changed], store, SIZE)
    run_jobs([changed], [changed], store, SIZE)
    assert calls == ["fit/a/2", "fit/a/2"]
