import json
import subprocess
import sys
from dataclasses import replace

import pytest
from benchmarks.cache import Cache
from benchmarks.job import Job
from benchmarks.runner import MeasurementError, run_alone, run_jobs, stop_all
from benchmarks.sizes import SIZES

from benchmarks import runner

SIZE = SIZES["tiny"]
FIT = Job("fit/a/2", "fit", {"peer": "a"}, 2, product="models/a")
EMBED = Job("embed/a/2", "embed", {"peer": "a"}, 2, needs=("fit/a/2",))
ABSENT = Job("embed/b/2", "embed", {"peer": "b"}, 2, skip="needs the package b")
DEAR = Job("vectors/v", "vectors", {}, 2, costly=True)
NEEDY = Job("fit/c/2", "fit", {"peer": "c"}, 2, needs=("vectors/v",))
ALL = [FIT, EMBED, ABSENT, DEAR, NEEDY]


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path, SIZE, "some texts")


@pytest.fixture
def calls(monkeypatch, cache):
    """Measurements that were really made; each fit leaves its model."""
    made = []

    def measure(job, cache, size):
        made.append(job.name)
        if job.product is not None:
            (cache.workspace / job.product).mkdir(parents=True, exist_ok=True)
        return {"number": len(made)}

    monkeypatch.setattr(runner, "run_alone", measure)
    return made


def test_an_interrupted_run_is_resumed(cache, calls):
    first = run_jobs(ALL, [FIT, EMBED, ABSENT, NEEDY], cache, SIZE)
    assert calls == ["fit/a/2", "embed/a/2"]
    again = run_jobs(ALL, [FIT, EMBED, ABSENT, NEEDY], cache, SIZE)
    assert calls == ["fit/a/2", "embed/a/2"]
    assert again == first
    run_jobs(ALL, [EMBED], cache, SIZE, again=True)
    assert calls == ["fit/a/2", "embed/a/2", "embed/a/2"]


def test_a_measurement_keeps_its_date_versions_and_command(cache, calls):
    first = run_jobs([FIT], [FIT], cache, SIZE, command="first").measurements["fit/a/2"]
    assert first.environment["command"] == "first"
    assert {"date", "python", "cores", "machine", "versions"} <= set(first.environment)
    again = run_jobs([FIT], [FIT], cache, SIZE, command="second").measurements["fit/a/2"]
    assert again == first


def test_what_is_missing_has_a_reason(cache, calls):
    done = run_jobs(ALL, [ABSENT, NEEDY], cache, SIZE)
    assert done.skipped == {
        "fit/a/2": "not selected",
        "embed/a/2": "not selected",
        "embed/b/2": "needs the package b",
        "vectors/v": "takes many minutes: --costly runs it",
        "fit/c/2": "needs vectors/v, which takes many minutes: --costly runs it",
    }


def test_a_failure_does_not_stop_the_others(cache, monkeypatch):
    def measure(job, cache, size):
        if job is FIT:
            raise MeasurementError("ValueError: no")
        return {}

    monkeypatch.setattr(runner, "run_alone", measure)
    done = run_jobs(ALL, ALL, cache, SIZE)
    assert done.failed == {"fit/a/2": "ValueError: no"}
    assert done.skipped["embed/a/2"] == "needs fit/a/2, which failed: ValueError: no"
    assert "vectors/v" in done.measurements
    assert cache.get(FIT) is None


def test_kept_only_under_the_same_corpus_versions_and_products(tmp_path, cache, calls, monkeypatch):
    run_jobs(ALL, [FIT], cache, SIZE)
    assert cache.get(FIT).values == {"number": 1}
    assert Cache(tmp_path, SIZE, "other texts").get(FIT) is None
    with monkeypatch.context() as patch:
        patch.setattr("benchmarks.cache.versions", lambda packages: {"numpy": "0"})
        assert cache.get(FIT) is None
    (cache.workspace / "models" / "a").rmdir()
    assert cache.get(FIT) is None


def test_a_damaged_file_is_measured_again(cache, calls, tmp_path):
    run_jobs(ALL, [FIT], cache, SIZE)
    (tmp_path / "tiny" / "fit-a-2.json").write_text("{")
    assert cache.get(FIT) is None


def test_a_real_process(cache):
    job = Job("roofline/1", "roofline", {}, 1)
    result = run_alone(job, cache, SIZE)
    names = {row["name"] for row in result["kernels"]}
    assert names >= {"OMP", "averaging", "averaging and removal"}
    for row in result["kernels"]:
        assert row["fraction"] == pytest.approx(row["flops_per_second"] / row["ceiling"])
    json.dumps(result)


def test_a_process_that_fails_says_why(cache):
    job = Job("fit/no", "fit", {"peer": "no"}, 1)
    with pytest.raises(MeasurementError, match="no peer is called 'no'"):
        run_alone(job, cache, SIZE)


def test_other_settings_are_measured_anew(cache, calls):
    run_jobs([FIT], [FIT], cache, SIZE)
    run_jobs([FIT], [FIT], cache, SIZE)
    changed = replace(FIT, settings={"n_topics": 3})
    run_jobs([changed], [changed], cache, SIZE)
    run_jobs([changed], [changed], cache, SIZE)
    assert calls == ["fit/a/2", "fit/a/2"]


def test_a_job_that_hangs_is_stopped(monkeypatch):
    monkeypatch.setattr(runner, "_TIMEOUT", 0.1)
    with pytest.raises(MeasurementError, match=r"no result within 0\.1 seconds"):
        runner._finish([sys.executable, "-c", "import time; time.sleep(60)"], {})


@pytest.mark.skipif(sys.platform == "win32", reason="processes are stopped as a group")
def test_children_of_a_job_are_stopped_too():
    child = "import time; print('started', flush=True); time.sleep(20); print('late', flush=True)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    command = [sys.executable, "-c", parent]
    with subprocess.Popen(
        command, text=True, stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout.readline() == "started\n"
        stop_all(process)
        assert process.stdout.read() == ""  # the end comes when no process can write any more
