import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif import InputError
from psif.search.conditions import check_fields
from psif.search.metadata import Column, build_columns, check_metadata
from psif.search.where import parse_where

DOCS = [
    {"year": 2020, "lang": "en", "open": True},
    {"year": 2021, "lang": "de", "open": False},
    {"year": "2020", "lang": "en"},
    {"year": None, "page count": 12},
    {"year": 1999.5, "lang": "o'neil", "tags": ["a"]},
    {},
]


def chosen(where, docs=DOCS):
    condition = parse_where(where)
    columns = build_columns(docs)
    check_fields(condition, {name: [column] for name, column in columns.items()})
    return np.flatnonzero(condition.mask(columns, len(docs))).tolist()


@pytest.mark.parametrize(
    ("where", "docs"),
    [
        ("year >= 2020", [0, 1]),
        ("year = 2020", [0]),
        ("year == '2020'", [2]),
        ("2000 <= year < 2021", [0]),
        ("2020 < year", [1]),
        ("year != 2020", [1, 2, 3, 4, 5]),
        ("year == null", [3, 5]),
        ("year != null", [0, 1, 2, 4]),
        ('lang in ["en", "de"]', [0, 1, 2]),
        ('lang not in ["en", "de"]', [3, 4, 5]),
        ("lang in []", []),
        ("not lang == 'en'", [1, 3, 4, 5]),
        ("not not lang == 'en'", [0, 2]),
        ("lang > 'de'", [0, 2, 4]),
        ("lang == 'o\\'neil'", [4]),
        ('lang == "o\'neil"', [4]),
        ("open == true", [0]),
        ("open == false or year == 1999.5", [1, 4]),
        ("`page count` > 9", [3]),
        ("lang == 'en' and year >= 2020 or open == false", [0, 1]),
        ("lang == 'en' and (year >= 2020 or open == false)", [0]),
        ("year >= -1e3", [0, 1, 4]),
    ],
)
def test_conditions(where, docs):
    assert chosen(where) == docs


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("yaer >= 2020", r"no document has the field 'yaer'; did you mean 'year'\?"),
        ("year >=", "expected a field or a value, at its end"),
        ("year", "expected a comparison such as"),
        ("year >= 2020 2021", "expected 'and', 'or' or the end, before '2021'"),
        ("(year >= 2020", r"expected '\)'"),
        ("year in 2020", r"expected '\['"),
        ("year in [2020 2021]", "expected ','"),
        ("lang in [en]", "strings need quotes"),
        ("lang == en", "not two fields with each other"),
        ("1 == 2", "not two values with each other"),
        ("year not 5", "expected 'in' after 'not'"),
        ("5 in [5]", "expected a field before 'in'"),
        ("year == 5 and", "expected a field or a value"),
        ("year ~ 5", "cannot read '~ 5'"),
        ("year == 'open", "cannot read"),
        ("__import__('os')", "cannot read|expected"),
        ("open == 5", "values are of type true or false"),
        ("tags == 'a'", "cannot look into lists"),
        ("", "expected a field or a value"),
        ("(" * 60 + "year == 1" + ")" * 60, "more than 50 conditions"),
        ("year == 1 " * 2_000, "at most 10000"),
        (5, "where must be a text"),
    ],
)
def test_refused(where, message):
    with pytest.raises(InputError, match=message):
        chosen(where)


def test_no_metadata():
    with pytest.raises(InputError, match="no document has metadata"):
        chosen("year == 1", [{}, {}])


values = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from("abc"))


@given(
    st.lists(st.one_of(st.just({}), st.fixed_dictionaries({"f": values})), max_size=12),
    st.sampled_from(["==", "!=", "<", "<=", ">", ">="]),
    st.sampled_from(["'a'", "'b'", "-1", "0", "2", "true", "false", "null"]),
)
def test_comparisons_are_those_of_python_within_a_type(docs, sign, literal):
    value = {"true": True, "false": False, "null": None}.get(literal)
    if literal not in ("true", "false", "null"):
        value = literal.strip("'") if "'" in literal else float(literal)

    def same_kind(a, b):
        kinds = [bool, (int, float), str]
        return any(
            isinstance(a, k) and isinstance(b, k) and isinstance(a, bool) == isinstance(b, bool)
            for k in kinds
        )

    def holds(found):
        if sign in ("==", "!="):
            equal = (found is None and value is None) or (
                same_kind(found, value) and found == value
            )
            return equal == (sign == "==")
        if not same_kind(found, value) or isinstance(found, bool):
            return False
        return {"<": found < value, "<=": found <= value, ">": found > value}.get(
            sign, found >= value
        )

    expected = [i for i, doc in enumerate(docs) if holds(doc.get("f"))]
    columns = build_columns(list(check_metadata(docs)))
    mask = parse_where(f"f {sign} {literal}").mask(columns, len(docs))
    assert np.flatnonzero(mask).tolist() == expected


@given(st.lists(values, max_size=8), st.lists(values, max_size=8), st.data())
def test_columns_can_be_cut_and_joined(first, second, data):
    columns = [Column.of(first), Column.of(second)]
    rows = [
        data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
        for n in map(len, (first, second))
    ]
    kept = [np.flatnonzero(np.array(r, dtype=bool)) for r in rows]
    joined = Column.concatenate([c.take(k) for c, k in zip(columns, kept, strict=True)])
    expected = Column.of([v for v, on in zip(first + second, rows[0] + rows[1], strict=True) if on])
    joined.check("f", len(joined.kinds))
    assert joined.kinds.tolist() == expected.kinds.tolist()
    assert joined.values() == expected.values()
    for name in ("numbers", "codes"):
        assert getattr(joined, name).tolist() == getattr(expected, name).tolist()


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ([5], "of type int; expected a dict"),
        ([{5: 1}], "names must be strings"),
        ([{"a": 10**400}], "too large a number"),
        ([{"a": float("inf")}], "too large a number"),
        ([{"a": object()}], "of type object; expected a string"),
    ],
)
def test_metadata_that_cannot_be_stored(metadata, message):
    with pytest.raises(InputError, match=message):
        list(check_metadata(metadata))


def test_metadata_of_many_types():
    import datetime as dt

    given = {
        "a": np.int64(3),
        "b": float("nan"),
        "c": dt.date(2020, 1, 5),
        "d": (1, "x"),
        "e": None,
    }
    assert list(check_metadata([given, None])) == [
        {"a": 3, "b": None, "c": "2020-01-05", "d": [1, "x"], "e": None}, {},
    ]  # fmt: skip
