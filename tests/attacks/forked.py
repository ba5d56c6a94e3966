"""A child process that is killed just before its n-th operation on a file."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys

KILLED = 137
_WATCHED = ("open", "os.", "shutil.", "tempfile.")
_READING = ("os.fork", "os.listdir", "os.scandir")


def run(work, folder, die_at=None, writers=()):
    """Call ``work()`` in a forked child, ended without any clean-up before operation ``die_at``.

    Operations are those on paths below ``folder``, calls of ``os.fsync``, and those of ``writers``:
    pairs of a module and the name of its function that writes bytes.

    Returns
    -------
    code : int
        Exit code; of a kill, ``KILLED``.
    n_operations : int
        If the child came to its end.
    """
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        with contextlib.suppress(BaseException):
            code = _child(work, folder, die_at, writers, send)
        os._exit(code)
    os.close(send)
    with os.fdopen(receive) as pipe:
        counted = pipe.read()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), int(counted or 0)


def _child(work, folder, die_at, writers, send):
    count = 0

    def operation():
        nonlocal count
        count += 1
        if count == die_at:
            os._exit(KILLED)

    def hook(event, arguments):
        if not event.startswith(_WATCHED) or event in _READING:
            return
        name = arguments[0] if arguments else None
        if isinstance(name, str | bytes | os.PathLike):
            path = os.path.abspath(os.fsdecode(name))
            if path.startswith(str(folder)):
                operation()

    def watched(function):
        def call(*arguments):
            operation()
            return function(*arguments)

        return call

    for module, name in [*writers, (os, "fsync")]:
        setattr(module, name, watched(getattr(module, name)))
    sys.addaudithook(hook)
    code = work()
    os.write(send, str(count).encode())
    return code


def psif_command(folder, args):
    """Return work that runs psif in a folder; what it prints goes to ``log.txt`` beside it."""

    def work():
        from psif.cli.main import psif

        os.chdir(folder)
        log = os.open(folder.parent / "log.txt", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.close(log)
        try:
            psif(args, standalone_mode=False)
        except SystemExit as stop:
            return int(stop.code or 0)
        return 0

    return work


def warm(folder, *commands):
    """Run psif commands in this process, in a copy of a folder that is then removed.

    Children that are forked afterwards have loaded the compiled loops: that is most of the time
    of a small command.
    """
    copy = shutil.copytree(folder, folder.parent / "warm")
    here, streams = os.getcwd(), [os.dup(number) for number in (1, 2)]
    try:
        for args in commands:
            code = psif_command(copy, args)()
            assert code == 0, (folder.parent / "log.txt").read_text()
    finally:
        os.chdir(here)
        for number, stream in enumerate(streams, start=1):
            os.dup2(stream, number)
            os.close(stream)
    shutil.rmtree(copy)


def contents(folder):
    """Bytes of every file, the README of models left out: it has no influence."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "README.md"
    }
