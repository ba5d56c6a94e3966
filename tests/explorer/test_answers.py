import json

import numpy as np
import pytest

from psif import Index
from psif.errors import InputError
from psif.explorer.palette import palette
from tests.explorer.worlds import HOSTILE, documents, make_answers


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    return make_answers(tmp_path_factory.mktemp("answers"))


def test_overview_is_json_and_counts(answers):
    page = json.loads(json.dumps(answers.overview()))
    assert page["ids"] == list(documents())
    assert len(page["topics"]) == 3
    assert page["notes"] == ["1 document has no known word and no place on the map"]
    assert len(page["lines"]) == 64


def test_search_finds_what_an_index_finds(answers):
    """The same hits, scores and reasons as psif.Index with the same model."""
    texts = answers.collection.texts
    index = Index.build([text or "" for text in texts], model=answers.collection.model)
    result = answers.search("bread butter soup")
    hits = index.search("bread butter soup", k=50)
    assert [row[0] for row in result["found"]] == [int(hit.id) for hit in hits]
    assert [row[1] for row in result["found"]] == pytest.approx([h.score for h in hits], abs=1e-5)
    assert [row[2] for row in result["found"][:10]] == [h.explanation.reason() for h in hits[:10]]
    assert {len(row) for row in result["found"][10:]} <= {2}
    assert (result["known"], result["words"], result["unknown"]) == (3, 3, [])


def test_words_count_that_only_documents_know(answers):
    """No vector knows "zzz", but a document has it."""
    result = answers.search("qqq ship zzz qqq")
    assert (result["known"], result["words"], result["unknown"]) == (1, 4, ["qqq"])
    assert answers.search("zzz")["found"][0][0] == 63
    assert answers.search("qqq")["found"] == answers.search("!?")["found"] == []


def test_nearest_are_documents_of_the_subject(answers):
    found = answers.nearest("bread butter soup")
    texts = answers.collection.texts
    assert all(
        "oven" in texts[i] or "soup" in texts[i] or "bread" in texts[i] or "cook" in texts[i]
        for i, _ in found["found"][:10]
    )
    scores = [score for _, score in found["found"]]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(
        answers.collection.model.similarity("bread butter soup", texts[found["found"][0][0]]),
        abs=1e-4,
    )
    unknown = answers.nearest("qqq ship zzz qqq")
    assert (unknown["known"], unknown["words"], unknown["unknown"]) == (1, 4, ["qqq", "zzz"])
    assert answers.nearest("qqq")["found"] == []


def test_document_has_words_topics_and_neighbours(answers):
    found = answers.document(0)
    assert sum(found["topics"]) == pytest.approx(1, abs=1e-5)
    assert 0 not in [i for i, _ in found["near"]]
    assert max(weight for _, weight in found["words"].values()) == 1
    assert set(found["words"]) <= set(found["text"].split())
    empty = answers.document(63)
    assert (empty["words"], empty["near"]) == ({}, [])


def test_compare_by_number_and_by_text(answers):
    text = answers.collection.texts[1]
    by_number, by_text = answers.compare(0, 1), answers.compare(0, text)
    assert by_number == by_text
    parts = sum(topic["share"] for topic in by_number["topics"]) + by_number["removed"]
    assert parts == pytest.approx(by_number["score"], abs=1e-9)


def test_unknown_words_of_a_comparison_are_named(answers):
    found = answers.compare("ship qqq", "zzz")
    assert (found["unknown_a"], found["unknown_b"], found["score"]) == (["qqq"], ["zzz"], 0)


def test_the_largest_topics_have_the_most_different_colours(answers):
    colours = answers.overview()["colours"]
    sizes = np.bincount(answers.strongest_topics(), minlength=65536)[:3]
    assert colours["topics"][int(sizes.argmax())] == 0
    assert sorted(colours["topics"]) == [0, 1, 2]
    assert colours["light"]["many"][:3] == palette("light", 3)
    assert len(colours["dark"]["scale"]) == 32


def test_columns_travel_with_the_documents(answers):
    columns = {column["name"]: column for column in answers.overview()["columns"]}
    kinds = {name: column["kind"] for name, column in columns.items()}
    assert kinds == {
        "kind": "label",
        "size": "number",
        "when": "date",
        "note": "text",
        "<b>rating</b>": "label",
        "__proto__x": "label",
    }
    assert columns["<b>rating</b>"]["names"] == ["0", "1", "2", "3", "4"]


def test_a_sample_keeps_the_columns_of_its_documents(tmp_path):
    made = make_answers(tmp_path, most=40)
    column = next(c for c in made.collection.columns if c.name == "note")
    pairs = list(zip(made.collection.sample.ids, column.data["texts"], strict=True))
    for key, text in pairs:
        if key.startswith("doc-"):
            assert text == f"number {key.removeprefix('doc-')} of many"
    assert len(pairs) == 40


@pytest.mark.parametrize("number", [-1, 64, 10**30, None, "0", True, 1.5])
def test_numbers_of_no_document(answers, number):
    with pytest.raises(InputError, match=r"number of a document|there is no document"):
        answers.document(number)


def test_without_texts(tmp_path):
    answers = make_answers(tmp_path, texts=False)
    assert answers.overview()["lines"] is None
    found = answers.document(0)
    assert found["text"] is None
    # Topics from the blocks of the vectors.
    assert sum(found["topics"]) == pytest.approx(1, abs=1e-5)
    with pytest.raises(InputError, match="start the explorer with --texts"):
        answers.compare(0, 1)
    assert answers.compare("ship", "sail")["score"] != 0


def test_compact_vectors_without_texts_tell_no_topics(tmp_path):
    answers = make_answers(tmp_path, texts=False, n_dims=4)
    assert answers.document(0)["topics"] is None
    assert set(answers.strongest_topics()) == {65535}


def test_a_sample_is_told(tmp_path):
    answers = make_answers(tmp_path, most=20)
    assert "20 of 64 documents are shown, chosen at random" in answers.collection.notes[0]
    assert len(answers.overview()["ids"]) == 20


def test_vectors_of_another_model_are_told(tmp_path):
    from psif.explorer.collection import load_collection
    from tests.explorer.worlds import make_model, write_vectors

    model, docs = make_model(), documents()
    path = write_vectors(model, docs, tmp_path / "v.npy")
    swapped = dict(zip(docs, reversed(docs.values()), strict=True))
    notes = load_collection(model, path, swapped.items()).notes
    assert any("are not what this model makes of their texts" in note for note in notes)


def test_hostile_ids_stay_as_they_are(answers):
    assert set(HOSTILE) <= set(answers.overview()["ids"])
    places = np.isnan(answers.collection.places.xy).any(axis=1)
    assert places.tolist() == [False] * 63 + [True]
