import numpy as np
import pytest

from psif import WordVectors
from tests.attacks import vector_files
from tests.attacks.vector_files import attack, problem_of, seed_tables


def test_mutated_tables_are_sound_or_refused():
    """A few hundred here; ``make attack`` tries thousands."""
    tried, failures = attack(400)
    assert failures == []
    assert tried == 400


def test_sound_tables_are_read(tmp_path):
    for path, _ in seed_tables(tmp_path):
        assert problem_of(path) is None
        if path.name != "pickle.kv":
            assert len(WordVectors.load(path)) >= 5


def test_a_problem_is_noticed(tmp_path, monkeypatch):
    """The attack itself: it must see foreign exceptions, nameless errors and bad numbers."""
    from psif.errors import FormatError

    path = tmp_path / "words.txt"

    def problem(load):
        monkeypatch.setattr(vector_files.WordVectors, "load", load)
        return problem_of(path)

    def foreign(path):
        raise KeyError("x")

    def nameless(path):
        raise FormatError("something is wrong")

    table = WordVectors(["a", "b"], np.ones((2, 2)))
    table._matrix = np.array([[1, np.nan], [0, 0]], dtype=np.float32)
    assert "KeyError" in problem(foreign)
    assert "does not name the file" in problem(nameless)
    assert "not finite" in problem(lambda path: table)


@pytest.mark.parametrize(
    ("name", "match"),
    [("words.gz", "damaged or cut short"), ("words.zip", "damaged or cut short")],
)
def test_by_hand_a_broken_stream_is_named(tmp_path, name, match):
    """zlib's own errors used to come through."""
    from psif import FormatError

    path = next(path for path, _ in seed_tables(tmp_path) if path.name == name)
    data = bytearray(path.read_bytes())
    data[40:60] = b"\xff" * 20
    path.write_bytes(data)
    with pytest.raises(FormatError, match=match) as caught:
        WordVectors.load(path)
    assert name in str(caught.value)
