import itertools

import numpy as np
import pytest

import psif
from psif import Index, InputError, PsifWarning
from tests.search import collections, naive


@pytest.fixture(scope="module")
def model():
    return collections.model()


@pytest.fixture(scope="module")
def texts():
    return collections.texts()


@pytest.fixture(scope="module")
def index(texts, model):
    metadata = [{"number": i, "even": i % 2 == 0} for i in range(len(texts))]
    return Index.build(
        texts, ids=[f"d{i}" for i in range(len(texts))], metadata=metadata, model=model
    )


def ids(hits):
    return [hit.id for hit in hits]


# What is found


def test_hits_are_those_of_the_formulas(index, texts):
    """The whole score, feedback too, against loops over documents and words."""
    rows = index._content.parts[0].segment.rows
    vectors = rows.vectors * rows.scales.astype(np.float64)[:, None]
    for query in (
        "ship in a storm",
        "cooking soup n3",
        "pilot",
        "the of and",
        "anchors n7 unheard",
    ):
        expected = naive.hybrid(index._content.space, texts, query, vectors)
        hits = index.search(query, k=20)
        order = [i for i in np.argsort(-expected, kind="stable")[:20] if expected[i] > -np.inf]
        assert ids(hits) == [f"d{i}" for i in order]
        assert [hit.score for hit in hits] == pytest.approx(expected[order], rel=1e-5)
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
        assert all(hit.score == pytest.approx(hit.lexical + hit.dense) for hit in hits)


def test_lexical_1_is_bm25_and_0_is_the_cosine(index, texts):
    query = "sailors n5 in the harbour"
    bm25 = naive.bm25(texts, query)
    for hit in index.search(query, k=60, lexical=1):
        assert hit.score == pytest.approx(bm25[int(hit.id[1:])])
        assert hit.dense == 0
    cosines = naive.cosines(index._content.space, texts, query)
    for hit in index.search(query, k=60, lexical=0):
        # Stored vectors are rounded to whole numbers up to 127.
        assert hit.score == pytest.approx(cosines[int(hit.id[1:])], abs=0.02)
        assert hit.lexical == 0


def test_words_that_only_topics_know_find_documents(index):
    """No document that has "anchor" is needed: those of the sea are found."""
    hits = index.search("anchor", k=5, lexical=0.01)
    assert all(set(hit.text.split()) & set(collections.SEA) for hit in hits)


def test_many_queries_give_the_hits_of_each(index):
    queries = ["ship", "soup in the oven", "n4", "pilot cloud"]
    together = index.search_many(queries, k=7)
    alone = [index.search(query, k=7) for query in queries]
    one_thread = index.search_many(queries, k=7, n_jobs=1)
    for a, b, c in zip(together, alone, one_thread, strict=True):
        assert ids(a) == ids(b) == ids(c)
        assert [hit.score for hit in a] == [hit.score for hit in b] == [hit.score for hit in c]


def test_filters_choose_without_changing_scores(index):
    everything = {hit.id: hit.score for hit in index.search("ship storm", k=60)}
    some = index.search("ship storm", k=60, where="number >= 10 and even == true")
    assert some
    assert all(int(hit.id[1:]) >= 10 and int(hit.id[1:]) % 2 == 0 for hit in some)
    assert all(hit.score == pytest.approx(everything[hit.id]) for hit in some)
    assert some[0].metadata == {"number": int(some[0].id[1:]), "even": True}
    assert index.search("ship", where="number < 0") == []


def test_similar_documents_leave_out_the_document(index):
    hits = index.similar("d0", k=5)
    assert "d0" not in ids(hits)
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5]
    assert all(int(hit.id[1:]) % 3 == 0 for hit in hits)  # of the same subject
    with pytest.raises(InputError, match="no document has the id 'd99'"):
        index.similar("d99")


# Names, codes and identifiers come first

NOISE = [
    "how to fix an error in the printer settings of the office",
    "error error error: the update of the system failed again",
    "the C language and its error handling, in C and more C",
    "an introduction to programming languages for the beginner",
    "Miller wrote about the error of the mean and its bounds",
    "the ship is in the harbour and the storm is over",
]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("error 0x80070057", "setup stops with code 0x80070057 at the end"),
        ("C++", "a course in C++ for the patient"),
        ("c++ error", "strange templates in C++ code give a long error"),
        ("C#", "the garbage collector of C# and its pauses"),
        ("AB-1234", "the part AB-1234 is out of stock; AB 99 and 1234 pieces are not"),
        ("parse_config error", "parse_config gives an error for empty files"),
        ("Kowalczyk", "a letter by Kowalczyk to the editor"),
        ("node.js", "a server in node.js with three routes"),
        ("192.168.0.17", "the address 192.168.0.17 is taken"),
        ("v1.2.3 release", "changes in the release v1.2.3 of the tool"),
    ],
)
@pytest.mark.parametrize("copies", [1, 40])
def test_exact_identifiers_are_found_first(query, text, copies):
    """Among few documents and among many, some of which fit the rest of the query better."""
    others = list(
        itertools.islice(itertools.cycle([*NOISE, "AB and 1234 and 12 parts"]), 7 * copies)
    )
    index = Index.build([*others, text])
    assert index.search(query)[0].id == str(len(others))


# What cannot be searched


def test_empty_query(index):
    for query in ("", "  \n"):
        with pytest.raises(InputError, match="no word in the query: it is empty"):
            index.search(query)
    with pytest.raises(InputError, match=r"no word in the query '\?!'"):
        index.search("?!")


def test_unknown_words_are_told(index):
    with pytest.warns(PsifWarning, match="no document has any word of the query: xyzzy"):
        assert index.search("xyzzy") == []


def test_words_known_to_no_document_but_the_model(model):
    index = Index.build(["ship and sail", "soup and bread"], model=model)
    hits = index.search("anchor")
    assert ids(hits)[0] == "0"
    assert hits[0].lexical == 0


def test_wrong_arguments(index):
    for k in (0, -1, 2.5, True):
        with pytest.raises(InputError, match="k must be a whole number of at least 1"):
            index.search("ship", k=k)
    for lexical in (-0.1, 1.1, "half"):
        with pytest.raises(InputError, match="lexical must be a number from 0 to 1"):
            index.search("ship", lexical=lexical)
    with pytest.raises(InputError, match="expected a list of queries"):
        index.search_many("ship")
    with pytest.raises(InputError, match="the query is of type int"):
        index.search(5)
    with pytest.raises(InputError, match="model must be a PSIF model"):
        Index.build(["a"], model=5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a text",), "expected a list of documents, got a single text"),
        ((["a", None],), "document 1 is missing"),
        ((["a", "b"], ["x"]), "there are 1 ids, but more texts"),
        ((["a"], ["x", "y"]), "there are more ids than the 1 texts"),
        ((["a", "b"], ["x", "x"]), "the id 'x' is given twice, the second time for document 1"),
        ((["a"], [""]), "an id must be a text that is not empty"),
        ((["a"], [None]), "an id must be a text"),
        ((["a", "b"], None, [{}]), "there are 1 entries of metadata, but more texts"),
        ((["a"], None, [{}, {}]), "there are more entries of metadata than the 1 texts"),
        ((["a"], None, ["b"]), "expected a dict"),
    ],
)
def test_wrong_documents(arguments, message):
    with pytest.raises(InputError, match=message):
        Index.build(*arguments)


def test_a_very_long_query(index):
    """Ten million characters: slow, but neither an error nor a wrong hit."""
    text = "ship " * 1_000_000 + "pilot " * 800_000
    hits = index.search(text, k=3)
    assert len(hits) == 3


# Odd collections


def test_no_documents():
    index = Index.build([])
    assert len(index) == 0
    assert index.info().n_docs == 0
    with pytest.warns(PsifWarning, match="no document has any word"):
        assert index.search("anything") == []
    index.add(["a ship", "a plane in the cloud"])
    assert ids(index.search("ship")) == ["0"]


def test_documents_without_words():
    index = Index.build(["", "  ", "?!", "a ship at sea"])
    assert len(index) == 4
    assert ids(index.search("ship")) == ["3"]
    with pytest.warns(PsifWarning):
        assert Index.build(["", "?"]).search("ship") == []


def test_hashed_words_of_a_query_find_nothing_by_chance():
    index = Index.build(collections.texts(), model=collections.model(unknown="hash"))
    with pytest.warns(PsifWarning, match="no document has any word of the query: qwertzuio"):
        assert index.search("qwertzuio") == []
    alone, beside = index.search("ship storm"), index.search("ship storm qwertzuio")
    assert [hit.score for hit in alone] == [hit.score for hit in beside]


def test_one_document_can_be_found():
    index = Index.build(["ships"])
    assert ids(index.search("ships")) == ["0"]
    assert index.search("ships")[0].score > 0
    assert index.language == "none"  # hence no stems
    with pytest.warns(PsifWarning, match="no document has any word of the query: ship"):
        assert index.search("ship") == []


def test_other_scripts_and_languages():
    russian = [
        "и в не на что корабли в море",
        "и в не на что хлеб и масло",
        "и на что самолёты в небе",
    ]
    index = Index.build(russian)
    assert index.language == "russian"
    assert index.search("корабль в море")[0].id == "0"
    chinese = Index.build(["海上的船", "面包和黄油"])
    assert chinese.language == "none"
    assert ids(chinese.search("船")) == ["0"]


def test_language_can_be_said():
    index = Index.build(["ships", "planes", "soups"], language="english")
    assert ids(index.search("ship"))[0] == "0"
    with pytest.raises(InputError, match="no language is called 'klingon'"):
        Index.build(["a"], language="klingon")


def test_index_is_a_public_name(index):
    assert psif.Index is Index
    assert len(index) == 60
    assert "d3" in index
    assert "x" not in index
    assert index.ids()[:2] == ["d0", "d1"]
    assert index.document("d3").metadata == {"number": 3, "even": False}


# Any model


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"n_removed": 1},
        {"tokenizer": "unicode"},
        {"tokenizer": r"[a-z]+"},
        {"phrases": 1},
        {"unknown": "hash"},
        {"word_columns": 0.3},
        {"n_dims": 5},
        {"n_dims": 8, "word_columns": 0.3},
        {"n_topics": 16, "dim": 25},
        {"n_topics": 1},
    ],
    ids=str,
)
def test_any_model_can_be_used(settings, texts):
    model = collections.model(**settings)
    index = Index.build(texts, model=model)
    cosines = naive.cosines(index._content.space, texts, "ship in a storm")
    hits = index.search("ship in a storm", k=10, lexical=0)
    assert hits
    for hit in hits:
        assert hit.score == pytest.approx(cosines[int(hit.id)], abs=0.02)


def test_a_saved_model_can_be_used(texts, model, tmp_path):
    model.save(tmp_path / "m")
    index = Index.build(texts, model=tmp_path / "m")
    assert ids(index.search("ship")) == ids(Index.build(texts, model=model).search("ship"))
