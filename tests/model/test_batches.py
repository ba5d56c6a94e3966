import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import psif
from psif import PSIF, InputError
from psif.files import batches
from psif.files.batches import in_batches
from psif.files.readers.options import Document
from psif.model.batches import shared_model
from tests import corpora

TEXTS = [*corpora.texts(5), ""]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return corpora.saved_model(tmp_path_factory.mktemp("model") / "m")


@pytest.fixture
def expected(model):
    with pytest.warns(psif.PsifWarning, match="1 of 6"):
        return model[0].transform(TEXTS)


@pytest.mark.parametrize("kind", [pa.Table, pa.RecordBatch])
def test_arrow(model, expected, kind):
    batch = kind.from_pydict({"id": list(range(6)), "text": [*TEXTS[:5], None]})
    out = psif.embed_batch(batch, model[1])
    assert isinstance(out, kind)
    assert out.column_names == ["id", "text", "vector"]
    assert out.schema.field("vector").type == pa.list_(pa.float32(), expected.shape[1])
    np.testing.assert_array_equal(np.array(out.column("vector").to_pylist()), expected)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_pandas(model, expected, missing):
    frame = pd.DataFrame({"body": pd.Series([*TEXTS[:5], missing], dtype=object)})
    out = psif.embed_batch(frame, model[0], text_column="body", vector_column="v")
    assert list(out.columns) == ["body", "v"]
    assert list(frame.columns) == ["body"]
    np.testing.assert_array_equal(np.stack(out["v"]), expected)


def test_columns_of_numpy(model, expected):
    out = psif.embed_batch({"text": np.array(TEXTS)}, model[1])
    np.testing.assert_array_equal(out["vector"], expected)


def test_nothing(model):
    out = psif.embed_batch(pa.table({"text": pa.array([], pa.string())}), model[1])
    assert out.num_rows == 0
    assert out.column_names == ["text", "vector"]


def test_a_saved_model_is_mapped_and_loaded_once(model):
    fitted, folder = model
    first = shared_model(folder)
    assert shared_model(str(folder)) is first
    base = first.words_.vectors
    while getattr(base, "base", None) is not None and not isinstance(base, np.memmap):
        base = base.base
    assert isinstance(base, np.memmap)
    # Writable in type, or compiled code would be compiled a second time; never in the file.
    before = (folder / "model.safetensors").read_bytes()
    first.words_.vectors[0, 0] += 1
    assert (folder / "model.safetensors").read_bytes() == before
    first.words_.vectors[0, 0] = fitted.words_.vectors[0, 0]
    other = PSIF(corpora.vectors(), n_topics=2, random_state=0).fit(corpora.texts())
    other.save(folder.parent / "n")
    assert shared_model(folder.parent / "n").n_topics_ == 2


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        ({"body": ["x"]}, "no column 'text'; its columns are body"),
        ({"text": [5]}, "expected texts, found int 5"),
    ],
)
def test_wrong_batches(model, batch, message):
    with pytest.raises(InputError, match=message):
        psif.embed_batch(batch, model[0])


def slow_batches(documents, rows, characters):
    """Cut a list: a batch ends with the document that fills it."""
    if not documents:
        return []
    sizes = range(1, len(documents) + 1)
    full = [n for n in sizes if n == rows or sum(len(d.text) for d in documents[:n]) >= characters]
    n = min(full, default=len(documents))
    return [documents[:n], *slow_batches(documents[n:], rows, characters)]


@given(
    texts=st.lists(st.text(max_size=5), max_size=20),
    rows=st.integers(1, 6),
    dim=st.integers(1, 6),
    characters=st.integers(1, 12),
)
def test_batches_of_a_stream(texts, rows, dim, characters):
    documents = [Document(str(i), text) for i, text in enumerate(texts)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "_MOST_ROWS", rows)
        patch.setattr(batches, "_MOST_BYTES", 4 * 12)
        patch.setattr(batches, "_MOST_CHARACTERS", characters)
        found = list(in_batches(iter(documents), dim))
    assert found == slow_batches(documents, min(rows, 12 // dim), characters)
