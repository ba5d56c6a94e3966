"""The command line: one command a file."""

from __future__ import annotations


def main() -> None:
    """Run ``psif``."""
    from psif.cli.main import psif

    psif(prog_name="psif")
