from benchmarks.corpora import corpus_name
from benchmarks.results import Measurement, Run
from benchmarks.runner import Outcome
from benchmarks.sizes import SIZES

from benchmarks import suite
from psif.runtime.threads import resolve_jobs
from tests.benchmarks.runs import environment

NEW, OLD = environment("2026-02-02"), environment("2026-01-01")


def run_with(earlier, tmp_path, monkeypatch):
    """A run that measures the large dictionary alone."""
    found = {"large/dictionary": Measurement({"seconds": 1.0}, NEW)}
    monkeypatch.setattr(suite, "run_jobs", lambda *args, **options: Outcome(dict(found)))
    return suite.run_suite("tiny", cache=tmp_path, earlier=earlier)


def test_what_is_not_measured_is_kept_with_its_date(tmp_path, monkeypatch):
    kept = {
        "large/dictionary": Measurement({"seconds": 9.0}, OLD),
        "tokenizing/psif": Measurement({"mb": 1.0}, OLD),
    }
    corpus, cores = corpus_name(SIZES["tiny"].share), resolve_jobs(None)
    run = run_with(Run("tiny", corpus, cores, kept), tmp_path, monkeypatch)
    assert {name: m.environment["date"] for name, m in run.measurements.items()} == {
        "large/dictionary": "2026-02-02",
        "tokenizing/psif": "2026-01-01",
    }
    other = run_with(Run("tiny", "other texts", cores, kept), tmp_path, monkeypatch)
    assert list(other.measurements) == ["large/dictionary"]
