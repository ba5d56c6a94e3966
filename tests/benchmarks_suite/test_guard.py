import json

import pytest
from benchmarks.guard import check_comparable, read_committed, regressions

from psif.errors import FormatError, InputError


def test_a_quarter_worse_is_a_regression_and_less_is_not():
    before = {"embed/a": 4.0, "embed/b": 4.0, "embed/c": 4.0, "embed/gone": 9.0}
    now = {"embed/a": 3.0, "embed/b": 3.01, "embed/c": 1.0, "embed/new": 0.1}
    found = regressions(before, now)
    assert [row.name for row in found] == ["embed/c", "embed/a"]
    assert found[0].message == "embed/c: 4 before, 1 now (75% worse)"


def test_better_is_never_a_regression():
    assert regressions({"x": 1.0}, {"x": 100.0}) == []


@pytest.mark.parametrize("content", ["[]", "{}", '{"ratios": {}}', "not json"])
def test_files_that_are_not_results_are_refused(tmp_path, content):
    path = tmp_path / "bench.json"
    path.write_text(content)
    with pytest.raises(FormatError, match=r"bench\.json"):
        read_committed(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_committed(tmp_path / "none.json")


def test_other_documents_are_not_compared(tmp_path):
    kept = {"ratios": {}, "size": "quick", "corpus": "docstrings"}
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(kept))
    check_comparable(read_committed(path), dict(kept), path)
    with pytest.raises(InputError, match="size 'quick', this run with 'full'"):
        check_comparable(kept, {**kept, "size": "full"}, path)
    with pytest.raises(InputError, match="corpus 'docstrings'"):
        check_comparable(kept, {**kept, "corpus": "20 Newsgroups"}, path)
