"""Means over seeds and paired differences, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from psif.errors import FormatError
from psif.evaluation.paper.seed_table import (
    pair_grid,
    read_seeds,
    seed_grid,
    seed_rows,
    write_seeds,
)
from psif.evaluation.runner.seeds import Decisions


def decisions(method: str, *runs: str) -> list[Decisions]:
    """Return one run per seed; "1" is a right decision."""
    return [
        Decisions(method, seed, np.arange(len(run)), np.array([bit == "1" for bit in run]))
        for seed, run in enumerate(runs)
    ]


def test_rows_by_hand():
    found = [*decisions("sif", "1100", "1110"), *decisions("psif-plain", "1111", "1111")]
    sif, plain, difference = seed_rows("r8", "inductive", found, "2026-01-01")
    assert (sif.method, sif.against, sif.score, sif.n_seeds, sif.n_documents) == (
        "sif", "", 62.5, 2, 4,
    )  # fmt: skip
    assert sif.deviation == pytest.approx(12.5 * 2**0.5)  # of 50 and 75
    assert (plain.score, plain.deviation) == (100, 0)
    assert (difference.method, difference.against) == ("psif-plain", "sif")
    assert difference.score == 37.5
    assert difference.deviation == pytest.approx(12.5 * 2**0.5)
    # Gains per document are 0, 0, 1 and 2 of 2 decisions; no gain has probability 1/16.
    assert difference.p == pytest.approx(2 / 16, abs=0.02)


def test_tables_are_written_read_and_replaced(tmp_path):
    rows = seed_rows("r8", "inductive", decisions("sif", "10", "11"), "2026-01-01")
    write_seeds(tmp_path, rows)
    (row,) = rows
    assert read_seeds(tmp_path) == [replace(row, deviation=35.355)]
    newer = seed_rows("r8", "inductive", decisions("sif", "11", "11"), "2026-01-02")
    write_seeds(tmp_path, newer)
    assert read_seeds(tmp_path) == newer


def test_damaged_tables_are_named(tmp_path):
    (tmp_path / "seeds.csv").write_text("task,protocol\nr8,inductive\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"seeds\.csv: not a table of seeds"):
        read_seeds(tmp_path)
    assert read_seeds(tmp_path / "elsewhere") == []


def test_grids():
    found = [*decisions("sif", "0" * 20, "0" * 20), *decisions("psif-plain", "1" * 20, "1" * 20)]
    rows = seed_rows("r8", "inductive", found, "")
    assert seed_grid(rows, "inductive") == [
        ["set", "seeds", "sif", "psif-plain"],
        ["r8", "2", "0.00 ± 0.00", "100.00 ± 0.00"],
    ]
    assert pair_grid(rows, "inductive")[1] == ["r8", "+100.00 [+100.00, +100.00]"]
    level = [*decisions("sif", "10", "10"), *decisions("psif-plain", "01", "01")]
    unclear = pair_grid(seed_rows("r8", "inductive", level, ""), "inductive")
    assert unclear[1] == ["r8", "(+0.00 [-100.00, +100.00])"]
