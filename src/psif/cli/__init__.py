"""The command line: one module per command."""

from __future__ import annotations


def main() -> None:
    """Run ``psif``."""
    from psif.cli.standard_streams import open_missing_streams

    open_missing_streams()
    from psif.cli.main import psif

    psif(prog_name="psif")
