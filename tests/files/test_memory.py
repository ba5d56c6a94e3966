"""Memory of reading and sampling, measured in processes of their own."""

import subprocess
import sys

import pytest

resource = pytest.importorskip("resource")

# Prints by how many bytes the peak grew while the documents of a file were read and sampled.
MEASURE = """
import resource, sys
import numpy
from psif.files.readers import read_documents
from psif.files.sampling import sample_texts
path, limit = sys.argv[1], int(sys.argv[2])
unit = 1 if sys.platform == "darwin" else 1024
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
sample = sample_texts((document.text for document in read_documents([path])), limit)
n_words = sum(len(text.split()) for text in sample)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((after - before) * unit, sample.n_characters, n_words)
"""


def peak(path, limit):
    command = [sys.executable, "-c", MEASURE, str(path), str(limit)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [int(number) for number in done.stdout.split()]


def test_a_long_line_costs_a_few_times_its_length(tmp_path):
    size = 40_000_000
    (tmp_path / "x.txt").write_bytes(b"lorem " * (size // 6) + b"\nshort\n")
    grown, used, n_words = peak(tmp_path / "x.txt", 1_000_000)
    assert 999_000 < used <= 1_000_000
    assert n_words == pytest.approx(used / 6, abs=2)
    assert grown < 3.5 * size


@pytest.mark.parametrize("line", [b"", b"some words"], ids=len)
def test_many_short_lines_cost_what_the_limit_allows(tmp_path, line):
    limit, n_lines = 60_000, 400_000
    (tmp_path / "x.txt").write_bytes((line + b"\n") * n_lines)
    grown, used, _ = peak(tmp_path / "x.txt", limit)
    assert used + limit // (len(line) + 1) == pytest.approx(limit, abs=len(line) + 1)
    # Three copies of what is kept, 24 bytes for each text, and the same once more for slack.
    assert grown < 300 * limit
