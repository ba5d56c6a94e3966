import pytest

from psif.errors import InputError
from psif.explorer.matching import match_texts


def test_texts_come_in_the_order_of_the_vectors():
    texts, notes = match_texts(["b", "a"], [("a", "A"), ("b", "B")], whole=True)
    assert (texts, notes) == (["B", "A"], [])


def test_an_id_that_occurs_twice_takes_two_texts():
    texts, _ = match_texts(["a", "a"], [("a", "first"), ("a", "second")], whole=True)
    assert texts == ["first", "second"]


def test_what_does_not_match_is_counted_and_named():
    ids = ["a", *(f"m{i}" for i in range(5))]
    texts, notes = match_texts(ids, [("a", "A"), ("x", "X")], whole=True)
    assert texts[0] == "A"
    assert notes == [
        "5 of 6 documents have no text: 'm0', 'm1', 'm2' and 2 more",
        "1 of 2 texts have no vector: 'x'",
    ]
    _, notes = match_texts(["a"], [("a", "A"), ("x", "X")], whole=False)
    assert notes == []


def test_nothing_matches():
    with pytest.raises(InputError, match=r"none of the 1 texts .* ids are 'a' .*texts: 'x'"):
        match_texts(["a"], [("x", "X")], whole=True)


def test_long_ids_are_cut():
    _, notes = match_texts(["a", "y" * 99], [("a", "A")], whole=True)
    assert len(notes[0]) < 100
