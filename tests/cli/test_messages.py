import pytest

from psif.cli import messages as module
from psif.cli.messages import Messages


class Clock:
    """Time that moves only when told."""

    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def test_steps_show_share_and_time_left(clock, capsys):
    show = Messages().steps("training")
    show(1, 10)
    assert capsys.readouterr().err == ""  # not yet: a log gets a line every 15 seconds
    clock.now += 20
    show(2, 10)
    assert capsys.readouterr().err == "training, 20%, 1:20 left\n"
    clock.now += 20
    show(10, 10)
    assert capsys.readouterr().err == "training, 100%, 0:00 left\n"


def test_documents_show_their_rate(clock, capsys):
    progress = Messages().progress("reading", 1000)
    clock.now += 20
    progress.update(4000, 250)
    assert capsys.readouterr().err == "reading: 4,000 documents, 200/s, 25%, 1:00 left\n"


def test_quiet_is_quiet(clock, capsys):
    quiet = Messages(level=0)
    show, progress = quiet.steps("training"), quiet.progress("reading", None)
    clock.now += 100
    show(1, 2)
    progress.update(1, 1)
    quiet.warn("x")
    assert capsys.readouterr().err == ""
