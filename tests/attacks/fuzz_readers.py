"""A fuzzer of the readers that is guided by coverage; it runs until it is stopped.

``python -m tests.attacks.fuzz_readers -max_total_time=600 FOLDER`` needs atheris
(``pip install --group fuzz``); FOLDER collects inputs that reach new code. The first byte of an
input chooses the format and the options. An input that fails is written to a file ``crash-...``,
which the same command takes instead of a folder to show its failure again.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ENDINGS = [".txt", ".jsonl", ".csv", ".tsv", ".parquet", ".npy", ".safetensors", ".txt.gz"]
_FOLDER = tempfile.TemporaryDirectory(prefix="psif-fuzz-", ignore_cleanup_errors=True)


def one_input(data: bytes) -> None:
    """Read one file; raise if that gives neither rows nor an error of psif."""
    from psif.files.readers import ReadOptions
    from tests.attacks.readers import problem_of

    if not data:
        return
    choice = data[0]
    path = Path(_FOLDER.name) / f"x{ENDINGS[choice % 8]}"
    path.write_bytes(data[1:])
    options = ReadOptions(
        on_error="skip" if choice & 8 else "fail",
        encoding=[None, "utf-8", "utf-16", "latin-1"][choice >> 4 & 3],
        text_column=[None, "id"][choice >> 6 & 1],
        id_column=[None, "text"][choice >> 7],
    )
    problem = problem_of(path, options)
    assert problem is None, problem


def main() -> None:
    import atheris

    # Imported here for the first time, with a counter at every branch.
    with atheris.instrument_imports(include=["psif.files", "json", "gzip"]):
        from tests.attacks.readers import seed_files
    with tempfile.TemporaryDirectory() as name:
        for number, (ending, content) in enumerate(seed_files()):
            first = bytes([ENDINGS.index(ending) | 8 * (number % 2)])
            Path(name, str(number)).write_bytes(first + content)
        atheris.Setup([*sys.argv, name], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
