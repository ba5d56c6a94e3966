import sys

from psif.files.readers import ReadOptions
from tests.attacks.readers import attack, problem_of, random_options, seed_files


def test_mutated_files_give_documents_or_our_errors():
    """A few hundred here; ``make attack`` tries thousands."""
    tried, failures = attack(400)
    assert failures == []
    assert tried == 400


def test_a_problem_is_noticed(tmp_path, monkeypatch):
    """The attack itself: it must see foreign exceptions, nameless errors, bad ids and hangs."""
    import time

    from psif.errors import InputError
    from psif.files.readers.options import Document
    from tests.attacks import readers

    (tmp_path / "x.txt").write_text("a\n")

    def problem(function):
        monkeypatch.setattr(readers, "read_documents", function)
        return problem_of(tmp_path / "x.txt", ReadOptions())

    def foreign(*args):
        raise KeyError("x")

    def nameless(*args):
        raise InputError("something is wrong")

    assert "KeyError" in problem(foreign)
    assert "does not name the file" in problem(nameless)
    assert "Unicode" in problem(lambda *args: [Document("\ud800", "")])
    if sys.platform != "win32":
        monkeypatch.setattr(readers, "SECONDS", 0.05)
        assert "TooSlow" in problem(lambda *args: time.sleep(30))


def test_sound_files_are_read(tmp_path):
    import random

    for number, (ending, content) in enumerate(seed_files()):
        path = tmp_path / f"{number}{ending}"
        path.write_bytes(content)
        assert problem_of(path, random_options(random.Random(0))) is None
