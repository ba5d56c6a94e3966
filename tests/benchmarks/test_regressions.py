from pathlib import Path

import pytest
from benchmarks.regressions import check_comparable, regressions
from benchmarks.results import Run

from psif.errors import InputError


def test_a_quarter_worse_is_a_regression_and_less_is_not():
    before = {"embed/a": 4.0, "embed/b": 4.0, "embed/c": 4.0, "embed/gone": 9.0}
    now = {"embed/a": 3.0, "embed/b": 3.01, "embed/c": 1.0, "embed/new": 0.1}
    found = regressions(before, now)
    assert [row.name for row in found] == ["embed/c", "embed/a"]
    assert found[0].message == "embed/c: 4 before, 1 now (75% worse)"


def test_better_is_never_a_regression():
    assert regressions({"x": 1.0}, {"x": 100.0}) == []


def test_other_documents_are_not_compared():
    path, kept = Path("bench.json"), Run("quick", "docstrings", 2)
    check_comparable(kept, Run("quick", "docstrings", 4), path)
    with pytest.raises(InputError, match="size 'quick', this run with 'full'"):
        check_comparable(kept, Run("full", "docstrings", 2), path)
    with pytest.raises(InputError, match="corpus 'docstrings'"):
        check_comparable(kept, Run("quick", "20 Newsgroups", 2), path)
