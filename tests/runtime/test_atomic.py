import os

import pytest

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
