"""Which browser the tests drive, and what happens without one."""

import subprocess

import pytest

from tests import conftest
from tests.explorer import browser


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine without any browser, whose programs are in one folder."""
    monkeypatch.delenv("PSIF_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "_PLACES", ())
    return tmp_path


def program(folder, name, text="#!/bin/sh\n"):
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_a_browser_is_found_by_name_or_place(bare, monkeypatch):
    assert browser.find_chromium() is None
    placed = program(bare, "odd-name")
    monkeypatch.setattr(browser, "_PLACES", (str(bare / "odd-*"),))
    assert browser.find_chromium() == str(placed)
    chrome = program(bare, "google-chrome")
    assert browser.find_chromium() == str(chrome)
    monkeypatch.setenv("PSIF_CHROMIUM", str(placed))
    assert browser.find_chromium() == str(placed)
    monkeypatch.setenv("PSIF_CHROMIUM", str(bare / "none"))
    assert browser.find_chromium() is None


def test_what_keeps_it_from_being_installed_is_said(bare, monkeypatch):
    monkeypatch.setattr(browser.os, "geteuid", lambda: 1000, raising=False)
    assert "no apt-get" in browser.why_not_installed()
    program(bare, "apt-get")
    assert "sudo apt-get install chromium" in browser.why_not_installed()
    monkeypatch.setenv("PSIF_CHROMIUM", "none")
    assert "PSIF_CHROMIUM=none is not a program" in browser.why_not_installed()


def test_debians_package_is_installed_by_root(bare, monkeypatch, capsys):
    monkeypatch.setattr(browser.os, "geteuid", lambda: 0, raising=False)
    installed = program(bare, "installed")
    script = f'#!/bin/sh\nif [ "$1" = install ]; then /bin/cp {installed} {bare}/chromium; fi\n'
    program(bare, "apt-get", script)
    browser.main()
    assert f"browser tests use {bare}/chromium" in capsys.readouterr().out


def test_a_failed_installation_is_no_failure_of_make(bare, monkeypatch, capsys):
    monkeypatch.setattr(browser.os, "geteuid", lambda: 0, raising=False)
    program(bare, "apt-get", "#!/bin/sh\necho 'E: no network' >&2\nexit 100\n")
    browser.main()
    assert "will be skipped: apt-get update -q failed: E: no network" in capsys.readouterr().err

    def too_long(*args, **kwargs):
        raise subprocess.TimeoutExpired("apt-get", 1)

    monkeypatch.setattr(browser.subprocess, "run", too_long)
    assert "took longer than" in browser.install_chromium()


def test_where_browsers_are_required_a_skip_is_a_failure(monkeypatch):
    monkeypatch.setenv("PSIF_REQUIRE_BROWSER", "0")
    with pytest.raises(pytest.skip.Exception, match="no browser"):
        conftest.unavailable("no browser")
    monkeypatch.setenv("PSIF_REQUIRE_BROWSER", "1")
    with pytest.raises(pytest.fail.Exception, match="PSIF_REQUIRE_BROWSER is set, but no browser"):
        conftest.unavailable("no browser")
