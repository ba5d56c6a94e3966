import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif import InputError
from psif.files.writers.chunk import make_chunk


def rounded(vectors, dtype):
    return make_chunk(["x"] * len(vectors), vectors, dtype)


def test_rounding_by_hand():
    x = np.array([[1, -0.5, 0.25], [0, 0, 0]], dtype=np.float32)
    np.testing.assert_array_equal(rounded(x, "float32").vectors, x)
    assert rounded(x, "float16").vectors.dtype == np.float16
    whole = rounded(x, "int8")
    assert whole.vectors.tolist() == [[127, -64, 32], [0, 0, 0]]
    np.testing.assert_allclose(whole.scales, [1 / 127, 1])
    # Tiny vectors keep their direction; those below the normal numbers are zero.
    assert rounded(x * np.float32(1e-29), "int8").vectors.tolist()[0] == [127, -64, 32]
    assert rounded(x * np.float32(1e-42), "int8").vectors.tolist()[0] == [0, 0, 0]
    with pytest.raises(InputError, match="float16 holds no number above 65504, and 1e\\+06"):
        rounded(x * 1e6, "float16")
    with pytest.raises(InputError, match="float32, float16, int8; got 'int4'"):
        rounded(x, "int4")


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1000))
def test_int8_keeps_cosines_within_its_documented_loss(seed):
    a, b = np.random.default_rng(seed).standard_normal((2, 64)).astype(np.float32)

    def cosine(u, v):
        u, v = u.astype(np.float64), v.astype(np.float64)
        return u @ v / np.linalg.norm(u) / np.linalg.norm(v)

    small = rounded(np.stack([a, b]), "int8")
    assert cosine(*small.vectors) == pytest.approx(cosine(a, b), abs=0.005)
    lengths = np.linalg.norm(small.vectors * small.scales[:, None], axis=1)
    np.testing.assert_allclose(lengths, np.linalg.norm([a, b], axis=1), rtol=0.01)
