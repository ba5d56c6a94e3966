import numpy as np
import pytest

from psif import PSIF
from psif.errors import FormatError, InputError
from psif.model.packing import pack, unpack
from tests.classify.conftest import make_texts, small_model

ARRAYS = {
    "vectors": np.array([[127.0, -63.6], [0.0, 0.0], [1e-3, 5e-4]], dtype=np.float32),
    "codes": np.array([[0.0, 2.54], [1.0, 0.0], [-1.0, 0.5]], dtype=np.float32),
    "counts": np.array([3, 2, 1]),
}


def test_whole_numbers_and_scales_by_hand():
    packed = pack(ARRAYS, "int8")
    assert packed["vectors"].tolist() == [[127, -64], [0, 0], [127, 64]]
    np.testing.assert_allclose(packed["vectors_scales"], [1, 1, 1e-3 / 127], rtol=1e-6)
    found = unpack(packed)
    assert set(found) == set(ARRAYS)
    np.testing.assert_allclose(found["vectors"][0], [127, -64])
    assert found["codes"][0, 0] == 0
    np.testing.assert_array_equal(found["counts"], ARRAYS["counts"])


@pytest.mark.parametrize(("dtype", "error"), [("float32", 0), ("float16", 2e-3), ("int8", 2e-2)])
def test_a_packed_model_gives_nearly_the_same_vectors(dtype, error, tmp_path):
    texts = make_texts(40)[0]
    model = small_model().fit(texts)
    model.save(tmp_path / "whole")
    model.save(tmp_path / "packed", dtype=dtype)
    found, wanted = PSIF.load(tmp_path / "packed").transform(texts), model.transform(texts)
    assert np.abs(found - wanted).max() <= error * np.abs(wanted).max()
    sizes = [(tmp_path / name / "model.safetensors").stat().st_size for name in ("whole", "packed")]
    assert (sizes[1] < sizes[0]) == (dtype != "float32")


def test_wrong_types_and_damaged_scales(tmp_path):
    with pytest.raises(InputError, match="dtype must be one of float32, float16, int8"):
        small_model().fit(make_texts(20)[0]).save(tmp_path / "model", dtype="int4")
    assert not (tmp_path / "model").exists()
    with pytest.raises(InputError, match="float16 holds no number above 65504"):
        pack({**ARRAYS, "vectors": np.array([[1e6]], dtype=np.float32)}, "float16")
    packed = pack(ARRAYS, "int8")
    for scales in (None, np.ones(2, dtype=np.float32), np.ones(3)):
        damaged = {**packed, "vectors_scales": scales}
        if scales is None:
            del damaged["vectors_scales"]
        with pytest.raises(FormatError, match="scales are missing or do not fit"):
            unpack(damaged)
    with pytest.raises(FormatError, match="has scales, but is float32"):
        unpack({**ARRAYS, "codes_scales": np.ones(3, dtype=np.float32)})
