import pytest
from benchmarks.jobs.roofline import Kernel

PEAKS = {"float32": 100.0, "float64": 50.0}


def test_few_operations_a_byte_are_limited_by_bytes():
    row = Kernel("loop", flops=20.0, n_bytes=40.0, seconds=1.0, number="float32").to_dict(
        PEAKS, bandwidth=80.0
    )
    assert row["intensity"] == 0.5
    assert (row["bound"], row["ceiling"]) == ("bytes", 40.0)
    assert row["fraction"] == 0.5


def test_many_operations_a_byte_are_limited_by_the_product_in_their_number_type():
    row = Kernel("loop", flops=100.0, n_bytes=1.0, seconds=4.0, number="float64").to_dict(
        PEAKS, bandwidth=80.0
    )
    assert (row["bound"], row["ceiling"]) == ("operations", 50.0)
    assert row["fraction"] == pytest.approx(0.5)
