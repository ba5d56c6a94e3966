"""The Chromium that the browser tests drive: found on this machine, or installed where allowed.

``make test`` runs this module before the tests. It imports nothing but the standard library.
"""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
from pathlib import Path

# --no-sandbox: the sandbox refuses to run as root and in most containers, and the tests open
# only pages that they have written. The others keep the browser off the network.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-sync",
    "--no-first-run",
]
_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "~/.cache/ms-playwright/chromium-*/chrome-linux*/chrome",
)
_SECONDS = 600


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome; ``PSIF_CHROMIUM`` comes first."""
    named = os.environ.get("PSIF_CHROMIUM")
    if named:
        return shutil.which(named)
    on_path = (shutil.which(name) for name in _NAMES)
    in_places = (
        found for place in _PLACES for found in sorted(glob.glob(str(Path(place).expanduser())))
    )
    return next((found for found in (*on_path, *in_places) if found), None)


def why_not_installed() -> str | None:
    """Return why this machine's package manager may not install Chromium; None: it may."""
    if os.environ.get("PSIF_CHROMIUM"):
        return f"PSIF_CHROMIUM={os.environ['PSIF_CHROMIUM']} is not a program"
    if not shutil.which("apt-get"):
        return "there is no Chromium on this machine and no apt-get to install it"
    if os.geteuid() != 0:
        return "there is no Chromium on this machine; try: sudo apt-get install chromium"
    return None


def install_chromium() -> str | None:
    """Install Debian's package; return why it failed, or None."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-q"],
        ["apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium"],
    ):
        try:
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=_SECONDS
            )
        except subprocess.TimeoutExpired:
            return f"{' '.join(command)} took longer than {_SECONDS} s"
        if done.returncode:
            last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
            return f"{' '.join(command)} failed: {' '.join(last)}"
    return None


def main() -> None:
    """Find or install Chromium and say which; never fail, the tests say what they skip."""
    path = find_chromium()
    if path is None:
        problem = why_not_installed()
        if problem is None:
            print("installing Chromium for the browser tests (apt-get install chromium)")
            problem = install_chromium()
            path = find_chromium()
        if path is None:
            print(f"browser tests will be skipped: {problem}", file=sys.stderr)
            return
    print(f"browser tests use {path}")


if __name__ == "__main__":
    main()
