import pytest

from psif.files.writers.parquet import _levels
from psif.files.writers.thrift import binary, boolean, i8, i32, i64, sequence, struct, varint


@pytest.mark.parametrize(
    ("number", "encoded"), [(0, "00"), (1, "01"), (127, "7f"), (128, "8001"), (300, "ac02")]
)
def test_varint_by_hand(number, encoded):
    assert varint(number).hex() == encoded


def test_struct_by_hand():
    """Field 1 is the number 3 (zigzag: 6), field 4 the text "ab", field 5 is true."""
    fields = {1: i32(3), 2: None, 4: binary("ab"), 5: boolean(True)}
    assert struct(fields).data.hex() == "1506" + "38026162" + "11" + "00"


def test_lists_by_hand():
    assert sequence([i64(1), i64(2)]).data.hex() == "26" + "0204"
    assert sequence([i8(0)] * 15).data.hex() == "f30f" + "00" * 15


def test_levels_by_hand():
    """Two rows of three numbers: 0 1 1 0 1 1 as runs (1 x 0, 2 x 1, twice), then six times 1."""
    repetition = "0200" + "0401" + "0200" + "0401"
    assert _levels(2, 3).hex() == "08000000" + repetition + "02000000" + "0c01"
