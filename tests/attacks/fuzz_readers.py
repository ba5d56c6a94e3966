"""A fuzzer of the readers that is guided by coverage; it runs until it is stopped.

``python -m tests.attacks.fuzz_readers models -max_total_time=600 FOLDER`` needs atheris
(``pip install --group fuzz``). The first argument is one of the targets of
:mod:`tests.attacks.targets`; FOLDER collects inputs that reach new code. An input that fails is
written to a file ``crash-...``, which the same command takes instead of a folder to show its
failure again.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

# Compiled loops are no bytecode, and numba cannot compile what counts its own branches.
INSTRUMENTED = [
    *("psif.files", "psif.vectors", "psif.text", "psif.model", "psif.search", "psif.classify"),
    *("psif.group", "psif.cli.config", "json", "gzip", "zipfile", "tomllib"),
]


def main() -> None:
    import atheris

    # Imported here for the first time, with a counter at every branch.
    with atheris.instrument_imports(include=INSTRUMENTED):
        from tests.attacks.targets import TARGETS
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in TARGETS:
        sys.exit(f"the first argument is one of {', '.join(TARGETS)}")
    with tempfile.TemporaryDirectory(prefix="psif-fuzz-") as folder:
        root, seeds = Path(folder) / "files", Path(folder) / "seeds"
        root.mkdir()
        seeds.mkdir()
        target = TARGETS[name](root)
        for number, seed in enumerate(target.seeds):
            (seeds / str(number)).write_bytes(seed)

        def one_input(data: bytes) -> None:
            problem = target.problem(data)
            assert problem is None, problem

        atheris.Setup([sys.argv[0], *sys.argv[2:], str(seeds)], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
