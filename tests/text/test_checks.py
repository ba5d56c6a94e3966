import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from psif import PSIF, InputError
from psif.text.checks import check_text, check_texts

TEXTS = ["ship sail", "bread oven", "sail bread"]
FRAME = {"id": ["1", "2", "3"], "Text": TEXTS}


def read(texts):
    return [check_text(text, i) for i, text in enumerate(check_texts(texts))]


@pytest.mark.parametrize(
    "texts",
    [
        TEXTS,
        tuple(TEXTS),
        (text for text in TEXTS),
        np.array(TEXTS),
        np.array(TEXTS, dtype=object),
        pd.Series(TEXTS),
        pd.Series(TEXTS, dtype="category"),
        pd.Series(TEXTS, index=[7, 7, 7]),
        pl.Series(TEXTS),
        pa.array(TEXTS),
        pa.array(TEXTS, pa.large_string()),
        pa.array(TEXTS).dictionary_encode(),
        pa.chunked_array([TEXTS[:1], TEXTS[1:]]),
        pa.table(FRAME)["Text"],
    ],
    ids=lambda texts: type(texts).__name__,
)
def test_collections_of_texts(texts):
    assert read(texts) == TEXTS


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("one", r"got a single text. Write \[text\]"),
        (b"one", "got a single text"),
        (42, "expected a list of documents, got int"),
        (pd.DataFrame(FRAME), r"got a DataFrame with the columns id, Text. .* data\['Text'\]"),
        (pd.DataFrame({"a": TEXTS}), r"example data\['a'\]"),
        (pd.DataFrame(), r"example data\['text'\]"),
        (pl.DataFrame(FRAME), r"got a DataFrame with the columns id, Text. .* data\['Text'\]"),
        (pa.table(FRAME), r"got a Table with the columns id, Text. .* data\['Text'\]"),
        ({str(i): [] for i in range(9)}, r"got a dict: its keys are not the texts"),
        (np.array([TEXTS, TEXTS]), r"got a ndarray of shape \(2, 3\). .* data\[:, 0\]"),
        ([TEXTS, TEXTS], r"document 0 is of type list, .* ' '.join\(words\)"),
        ([*TEXTS, None], r"document 3 is missing \(None\), .* texts.fillna\(''\)"),
        (pd.Series([*TEXTS, np.nan]), r"document 3 is missing \(nan\), .* texts.fillna\(''\)"),
        (pd.Series([pd.NA], dtype="string"), "document 0 is missing .*fillna"),
        (pa.array([None, "x"]), r"document 0 is missing \(None\)"),
        ([b"x"], r"document 0 is of type bytes, .*decode\('utf-8'\)"),
        ([3], "document 0 is of type int, expected a string"),
    ],
)
def test_what_is_no_collection_of_texts(texts, message):
    with pytest.raises(InputError, match=message):
        read(texts)


def test_frames_of_many_columns_are_named_in_part():
    frame = pd.DataFrame({f"c{i}": TEXTS for i in range(7)})
    with pytest.raises(InputError, match=r"c0, c1, c2, c3, c4, \.\.\."):
        check_texts(frame)


@pytest.mark.parametrize("texts", [pd.DataFrame(FRAME), FRAME, [TEXTS], [*TEXTS, None]])
def test_models_refuse_them_too(texts):
    model = PSIF(n_topics=1, dim=2, n_removed=0, random_state=0)
    with pytest.raises(InputError, match=r"data\['Text'\]|data\['text'\]|join|fillna"):
        model.fit(texts)
    model.fit(TEXTS)
    with pytest.raises(InputError, match=r"data\['Text'\]|data\['text'\]|join|fillna"):
        model.transform(texts)
    np.testing.assert_array_equal(model.transform(pa.array(TEXTS)), model.transform(TEXTS))
