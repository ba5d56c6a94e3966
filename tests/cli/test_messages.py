import errno

import pytest

from psif.cli import messages as module
from psif.cli.failures import one_line
from psif.cli.messages import Messages
from tests.cli.conftest import make_docs, write_jsonl


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


def test_active_characters_of_a_message_are_shown(capsys):
    Messages().say("id \x1b[31m\n\u202ereversed")
    assert capsys.readouterr().err == "id \\x1b[31m\n\\u202ereversed\n"


@pytest.mark.parametrize(
    ("args", "level"),
    [
        (["-q", "info"], 0),
        (["info", "-q"], 0),
        (["-v", "info"], 2),
        (["info", "-v"], 2),
        (["--quiet", "info", "--verbose"], 2),
        (["-v", "info", "--quiet"], 0),
        (["info"], 1),
    ],
)
def test_verbosity_anywhere(run, trained, monkeypatch, args, level):
    levels = []
    note = Messages.note
    monkeypatch.setattr(
        Messages, "note", lambda self, text: levels.append(self.level) or note(self, text)
    )
    (trained[0].parent / "any.toml").write_text("")
    run("--config", trained[0].parent / "any.toml", *args, trained[0])
    assert levels == [level]


def test_verbosity_of_commands_below_a_command(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", make_docs(30))
    train = ["docs.jsonl", "-o", "table", "--dim", 2, "--min-count", 1]
    assert run("vectors", "train", *train).stderr
    for args in (["vectors", "train", *train, "-q"], ["vectors", "-q", "train", *train]):
        assert run(*args).stderr == ""


def test_every_command_takes_both(run):
    from psif.cli.main import COMMANDS

    for name in COMMANDS:
        assert "-v, --verbose / -q, --quiet" in run(name, "--help").stdout, name


@pytest.mark.parametrize(
    ("number", "told"), [(errno.ENOSPC, "no space left to write"), (errno.EACCES, "cannot write")]
)
def test_failures_of_the_system_in_safetensors_are_told(number, told):
    from safetensors import SafetensorError

    error = SafetensorError(f"Error while serializing: I/O error: words (os error {number})")
    assert one_line(error).startswith(told)
    assert "unexpected SafetensorError" in one_line(SafetensorError("other"))
