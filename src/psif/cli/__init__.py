"""The command line: one module per command."""

from __future__ import annotations

import contextlib
import signal
import sys


def main() -> None:
    """Run ``psif``."""
    from psif.cli.standard_streams import open_missing_streams

    open_missing_streams()
    try:
        from psif.cli.main import psif

        psif(prog_name="psif")
    except KeyboardInterrupt:  # while modules are imported, or after the command
        sys.stderr.write("Error: interrupted.\n")
        sys.exit(1)
    finally:
        # All is done and told: an interrupt while Python shuts down would only spoil the exit code.
        with contextlib.suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGINT, signal.SIG_IGN)
