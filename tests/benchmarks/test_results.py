import json

import pytest
from benchmarks.results import Measurement, Run, read_run

from psif.errors import FormatError, InputError
from tests.benchmarks.runs import environment, run

OLD, NEW = environment("2026-01-01", "old"), environment("2026-02-01", "new")


def test_a_run_is_read_back_as_it_was_written(tmp_path):
    first = run()
    first.measurements["start/psif"] = Measurement({"import_seconds": 2.0}, NEW)
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(first.to_dict()))
    assert read_run(path) == first
    kept = first.to_dict()
    assert [found["date"] for found in kept["environments"]] == ["2026-01-01", "2026-02-01"]


def test_earlier_measurements_keep_their_date_and_fill_gaps_only():
    earlier = Run("full", "texts", 2, {
        "fit/a": Measurement({"seconds": 9.0}, OLD),
        "fit/b": Measurement({"seconds": 8.0}, OLD),
        "gone": Measurement({"seconds": 7.0}, OLD),
    })  # fmt: skip
    now = Run(
        "full", "texts", 2, {"fit/b": Measurement({"seconds": 1.0}, NEW)},
        {"fit/a": "not selected", "fit/c": "not selected"},
    )  # fmt: skip
    assert now.comparable(earlier)
    now.keep_earlier(earlier, ["fit/a", "fit/b", "fit/c"])
    assert list(now.measurements) == ["fit/a", "fit/b"]
    assert now.results == {"fit/a": {"seconds": 9.0}, "fit/b": {"seconds": 1.0}}
    assert now.measurements["fit/a"].environment["date"] == "2026-01-01"
    assert now.skipped == {"fit/c": "not selected"}


@pytest.mark.parametrize("other", [("quick", "texts", 2), ("full", "x", 2), ("full", "texts", 4)])
def test_other_sizes_corpora_and_cores_do_not_mix(other):
    assert not Run("full", "texts", 2).comparable(Run(*other))


@pytest.mark.parametrize("content", ["[]", "{}", '{"format": 1}', "not json"])
def test_files_that_are_not_results_are_refused(tmp_path, content):
    path = tmp_path / "bench.json"
    path.write_text(content)
    with pytest.raises(FormatError, match=r"bench\.json"):
        read_run(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.json: cannot be read"):
        read_run(tmp_path / "none.json")
