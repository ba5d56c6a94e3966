from psif import Index
from psif.search.snippets import snippet


def test_query_words_are_marked():
    text = "The ships left.\nA ship, <big>, was lost in C++ code"
    terms = {"ship": 1.0, "c++": 2.0}
    assert snippet(text, terms, {}, "english") == (
        "The **ships** left. A **ship**, <big>, was lost in **C++** code"
    )


def test_the_heaviest_window_of_a_long_text_is_shown():
    text = " ".join(["filler"] * 300 + ["the", "storm", "was", "near"] + ["filler"] * 300)
    shown = snippet(text, {"storm": 1.0}, {}, "english")
    assert "the **storm** was near" in shown
    assert shown.startswith("… filler")
    assert shown.endswith("filler …")
    assert len(shown.split()) < 45


def test_words_of_topics_choose_the_window_unmarked():
    text = " ".join(["filler"] * 300 + ["harbour", "tide"] + ["filler"] * 300)
    shown = snippet(text, {}, {"harbour": 0.5, "filler": -1.0}, "english")
    assert "harbour tide" in shown
    assert "**" not in shown


def test_repeating_a_word_is_not_better_than_another_word():
    spam = ["storm"] * 10 + ["filler"] * 100
    text = " ".join([*spam, "storm", "tide", "anchor", *["filler"] * 100])
    shown = snippet(text, {"storm": 1.0, "tide": 1.0, "anchor": 1.0}, {}, "english")
    assert "**tide**" in shown


def test_texts_without_words():
    assert snippet("?! \n ...", {}, {}, "none") == "?! ..."
    assert snippet("", {}, {}, "none") == ""


def test_hits_have_snippets():
    index = Index.build(["The ships are lost.", "A plane is in the air.", "It is a cloud."])
    assert index.search("ships")[0].snippet == "The **ships** are lost."
    assert index.search("ships")[0].to_dict()["snippet"] == "The **ships** are lost."
