"""The page about the server: its commands exist, its Python runs; and the Dockerfile."""

import json
import re
import shlex

import click
import pytest

from psif.cli.commands.serve import command
from psif.serve.application import Application
from psif.serve.served import Served
from tests.serve.running import Running
from tests.snippets import ROOT, snippets

PAGE = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.mark.parametrize("line", re.findall(r"^\$ psif serve (.*)$", PAGE, re.MULTILINE))
def test_commands_are_well_formed(line):
    assert command.make_context("serve", shlex.split(line)).params["models"]


def test_python_runs(folders, tmp_path, capsys):
    server = Running(f"vectors.model={folders['compact']}", cwd=tmp_path)
    try:
        ((code, _),) = snippets(PAGE)
        exec(code.replace("http://127.0.0.1:8000/v1", server.url) + "\nclient.close()", {})
    finally:
        server.stop()
    assert capsys.readouterr().out == "2 vectors of 6 numbers\n"


def test_every_path_is_described():
    app = Application([Served("m", "model")]).asgi()
    for path in app._paths:
        assert f"`POST {path}`" in PAGE or f"`GET {path}`" in PAGE or "{name" in path


def instructions(name):
    joined = DOCKERFILE.replace("\\\n", " ")
    return re.findall(rf"^{name} (.*)$", joined, re.MULTILINE)


def test_the_image_starts_a_command_that_exists(monkeypatch):
    (entry,), (default,) = map(instructions, ("ENTRYPOINT", "CMD"))
    program, name, *options = json.loads(entry)
    assert (program, name) == ("psif", "serve")
    context = command.make_context(name, [*options, *json.loads(default)])
    assert context.params["host"] == "0.0.0.0"
    assert str(context.params["port"]) in instructions("EXPOSE")
    assert context.params["models"] == ("/model",)
    with pytest.raises(click.UsageError):
        command.make_context(name, [*options, "--no-such-option"])


def test_the_image_is_built_from_files_that_exist():
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    copied = [word for line in instructions("COPY") for word in line.split()[:-1]]
    for name in copied:
        assert (ROOT / name).exists()
        assert f"!{name}" in ignored
    assert ".[serve]" in " ".join(instructions("RUN"))
    assert instructions("USER") == ["10001"]
    (check,) = instructions("HEALTHCHECK")
    python, option, code = json.loads(check.partition("CMD ")[2])
    assert (python, option) == ("python", "-c")
    compile(code, "HEALTHCHECK", "exec")
