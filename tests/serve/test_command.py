"""``psif serve``: what it refuses to start with."""

import socket

import pytest

from tests.cli.conftest import run  # noqa: F401


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nowhere"], "does not exist"),
        (["{full}", "--host", "0.0.0.0"], "PSIF_API_KEY"),
        (["{full}", "--host", "::"], "PSIF_API_KEY"),
        (["{full}", "--host", "0.0.0.0", "--api-key", " "], "empty"),
        (["{full}", "--api-key", "schlüssel"], "ASCII"),
        (["a b={full}"], "cannot be the name"),
        (["{full}", "{full}"], "two models have the name 'full'"),
        (["{full}", "--host", "203.0.113.9", "--api-key", "k"], "cannot listen"),
    ],
)
def test_refused(run, folders, monkeypatch, arguments, reason):  # noqa: F811
    monkeypatch.delenv("PSIF_API_KEY", raising=False)
    filled = [argument.format(full=folders["full"]) for argument in arguments]
    assert reason in run("serve", *filled, "--port", "0", code=1).stderr


def test_a_port_in_use(run, folders):  # noqa: F811
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = run("serve", folders["full"], "--port", port, code=1)
    assert "in use" in result.stderr


def test_a_folder_that_is_no_model(run, tmp_path):  # noqa: F811
    (tmp_path / "empty").mkdir()
    assert "not a model" in run("serve", "empty", code=1).stderr
