import os
import subprocess
import sys

import pytest

from psif.errors import InputError
from psif.files.writers.working_folder import open_part_folder
from psif.runtime import atomic
from psif.runtime.atomic import atomic_folder, atomic_path


def test_a_file_appears_on_success_with_ordinary_permissions(tmp_path):
    target = tmp_path / "new" / "out.txt"
    with atomic_path(target) as part:
        part.write_text("whole", encoding="utf-8")
        assert not target.exists()
    assert target.read_text(encoding="utf-8") == "whole"
    plain = tmp_path / "plain"
    plain.touch()
    assert target.stat().st_mode == plain.stat().st_mode


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file_and_no_litter(tmp_path, error):
    target = tmp_path / "out.txt"
    target.write_text("old", encoding="utf-8")

    def fail():
        with atomic_path(target) as part:
            part.write_text("half", encoding="utf-8")
            raise error

    with pytest.raises(error):
        fail()
    assert target.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["out.txt"]


def test_a_folder_is_swapped_whole(tmp_path):
    target = tmp_path / "model"
    for content in ("first", "second"):
        with atomic_folder(target) as part:
            (part / "a").write_text(content, encoding="utf-8")
        assert (target / "a").read_text(encoding="utf-8") == content
    assert os.listdir(tmp_path) == ["model"]


def test_a_failed_folder_leaves_the_old_one(tmp_path):
    target = tmp_path / "model"
    with atomic_folder(target) as part:
        (part / "a").write_text("old", encoding="utf-8")

    def fail():
        with atomic_folder(target) as part:
            (part / "a").write_text("new", encoding="utf-8")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert (target / "a").read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["model"]


def dead_process():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def leftover(target, suffix, process):
    with atomic_path(target) as part:
        name = part.name
    host, _, _ = name.removeprefix(f".{target.name}.").split("-")
    return target.with_name(f".{target.name}.{host}-{process}-0badcafe{suffix}")


def test_what_a_killed_process_left_is_removed_by_the_next_write(tmp_path):
    target = tmp_path / "out.txt"
    dead = leftover(target, ".part", dead_process())
    dead.write_text("half")
    alive = leftover(target, ".part", os.getppid())
    alive.write_text("still writing")
    other = tmp_path / ".out.txt.notes.part"
    other.write_text("of somebody else")
    with atomic_path(target) as part:
        part.write_text("whole")
    assert not dead.exists()
    assert alive.read_text() == "still writing"
    assert other.read_text() == "of somebody else"


def test_a_folder_moved_aside_by_a_killed_process_is_put_back(tmp_path):
    target = tmp_path / "model"
    old = leftover(target, ".old", dead_process())
    target.unlink()
    old.mkdir()
    (old / "a").write_text("old")
    seen = []

    def fail():
        with atomic_folder(target):
            seen.append((target / "a").read_text())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert seen == ["old"]
    assert (target / "a").read_text() == "old"


def test_folders_are_replaced_where_the_system_cannot_exchange(tmp_path, monkeypatch):
    monkeypatch.setattr(atomic, "_exchange", lambda *_: False)
    target = tmp_path / "model"
    for content in ("first", "second"):
        with atomic_folder(target) as part:
            (part / "a").write_text(content)
        assert (target / "a").read_text() == content
    assert os.listdir(tmp_path) == ["model"]


def test_the_umask_of_the_process_is_never_touched(tmp_path, monkeypatch):
    def refuse(_):
        raise AssertionError("os.umask changes what other threads write")

    monkeypatch.setattr(os, "umask", refuse)
    with atomic_path(tmp_path / "file") as part:
        part.write_text("x")
    with atomic_folder(tmp_path / "folder") as part:
        (part / "a").write_text("x")


def test_long_names(tmp_path):
    target = tmp_path / ("n" * 250)
    with atomic_path(target) as part:
        part.write_text("x")
    assert target.read_text() == "x"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_devices_and_pipes_are_not_replaced(tmp_path):
    """As root, a file renamed to /dev/full would replace the device."""
    target, link = tmp_path / "v.npy", tmp_path / "link.npy"
    os.mkfifo(target)
    link.symlink_to(target)
    for path in (target, link):
        with pytest.raises(InputError, match="a pipe"), atomic_path(path):
            raise AssertionError("not reached")
        with pytest.raises(InputError, match="a pipe"), open_part_folder(path):
            raise AssertionError("not reached")
    assert target.is_fifo()
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.npy", "v.npy"]
