"""The page's own arithmetic, in Chromium, against Python's on random models."""

import json
import unicodedata
import warnings

import numpy as np
import pytest

from psif.errors import PsifWarning
from psif.explorer.assets import asset
from psif.explorer.offline import offline_data
from psif.explorer.tokenizer_facts import tokenizer_facts
from psif.text.buckets import bucket_of
from psif.text.tokenizer import Tokenizer
from tests.explorer.random_models import (
    as_json,
    random_answers,
    random_settings,
    random_text,
    random_words,
)

pytestmark = pytest.mark.xdist_group("chromium")
N_MODELS = 18
# Python embeds in 32 bits, the page in 64.
CLOSE = {"abs": 1e-4}


@pytest.fixture(scope="module")
def engine_page(chromium):
    page = chromium.new_page()
    for name in ("arrays", "words", "engine", "split", "overlap", "offline"):
        page.add_script_tag(content=asset(f"{name}.js"))
    yield page
    page.close()


def ask(page, data, questions):
    """Answers of an exported page to questions such as ("compare", 0, "text")."""
    answer = page.evaluate(
        """async given => {
          const { data, questions } = JSON.parse(given), offline = new Offline(data), answers = [];
          for (const [name, ...asked] of questions) answers.push(await offline[name](...asked));
          return JSON.stringify(answers);
        }""",
        as_json({"data": data, "questions": questions}),
    )
    return json.loads(answer)


def spans(page, texts, tokenizer):
    found = page.evaluate(
        """given => {
          const { texts, facts } = JSON.parse(given);
          const shown = text => Words.spans(text, facts).map(
            ({ word, start, end }) => [word, text.slice(start, end)]);
          return JSON.stringify(texts.map(shown));
        }""",
        as_json({"texts": texts, "facts": tokenizer_facts(tokenizer)}),
    )
    return json.loads(found)


def test_the_settings_that_matter_are_all_covered():
    made = [random_settings(np.random.default_rng(i), i) for i in range(N_MODELS)]
    for name, values in {
        "n_removed": {0, 1, 2},
        "word_columns": {0.0, 0.3, 0.7},
        "unknown": {"skip", "hash"},
        "counts": {"raw", "log"},
        "phrases": {0, 1},
        "tokenizer": {"paper", "unicode"},
    }.items():
        assert {settings[name] for settings in made} == values
    compact = [settings for settings in made if "n_dims" in settings]
    assert {settings["word_columns"] > 0 for settings in compact} == {False, True}


@pytest.mark.parametrize("number", range(N_MODELS))
def test_scores_and_their_parts_are_the_models(engine_page, tmp_path, number):
    answers, settings, texts = random_answers(tmp_path, number)
    pairs = [(0, 1), (2, 2), (3, texts[2]), (texts[2], texts[3]), (texts[0], 1), (texts[1], 4)]
    data = offline_data(answers)
    assert data["words"] is not None
    assert any(data["tokenizer"]["phrases"]) == (settings["phrases"] > 0)
    for (a, b), found in zip(
        pairs, ask(engine_page, data, [("compare", *pair) for pair in pairs]), strict=True
    ):
        expected = answers.compare(a, b)
        same_explanation(found, expected)
        text_a, text_b = (answers.collection.texts[x] if isinstance(x, int) else x for x in (a, b))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PsifWarning)
            score = answers.collection.model.similarity(text_a, text_b)
        assert found["score"] == pytest.approx(score, **CLOSE), settings


def same_explanation(found, expected):
    for name in ("score", "shared_words", "removed", "other_pairs"):
        assert found[name] == pytest.approx(expected[name], **CLOSE), name
    shares = [{t["topic"]: t["share"] for t in side["topics"]} for side in (found, expected)]
    assert shares[0] == pytest.approx(shares[1], **CLOSE)
    for side in ("a", "b"):
        assert found[f"words_{side}"] == pytest.approx(expected[f"words_{side}"], **CLOSE)
        assert found[f"text_{side}"] == expected[f"text_{side}"]
        assert found[f"word_topics_{side}"].keys() == expected[f"word_topics_{side}"].keys()
    assert len(found["pairs"]) == len(expected["pairs"])
    # Pairs that tie may change places.
    sizes = [[abs(pair["share"]) for pair in side["pairs"]] for side in (found, expected)]
    assert sizes[0] == pytest.approx(sizes[1], **CLOSE)
    known = {(pair["a"], pair["b"]): pair["share"] for pair in expected["pairs"]}
    for pair in found["pairs"]:
        share = known.get((pair["a"], pair["b"]))
        assert (
            share == pytest.approx(pair["share"], **CLOSE)
            if share is not None
            else abs(pair["share"]) == pytest.approx(sizes[1][-1], **CLOSE)
        )
    parts = sum(t["share"] for t in found["topics"]) + found["removed"]
    assert parts == pytest.approx(found["score"], abs=1e-9)


@pytest.mark.parametrize("number", range(N_MODELS))
def test_search_and_neighbours_are_the_models(engine_page, tmp_path, number):
    answers, _, texts = random_answers(tmp_path, number)
    rows = answers.collection.sample.rows
    questions = [("search", text) for text in texts] + [("document", i) for i in range(6)]
    found = ask(engine_page, offline_data(answers), questions)
    for text, mine in zip(texts, found[: len(texts)], strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PsifWarning)
            expected = answers.nearest(text)
        assert (mine["known"], mine["words"]) == (expected["known"], expected["words"])
        same_ranking(mine["found"], [hit for hit in expected["found"] if rows[hit[0]].any()])
    for doc, mine in enumerate(found[len(texts) :]):
        expected = answers.document(doc)
        assert mine["text"] == expected["text"]
        same_ranking(mine["near"], [hit for hit in expected["near"] if rows[hit[0]].any()])
        assert mine["topics"] == pytest.approx(expected["topics"], abs=1e-3)
        assert mine["words"].keys() == expected["words"].keys()
        for word, (_, weight) in mine["words"].items():
            assert weight == pytest.approx(expected["words"][word][1], abs=1e-3)


def same_ranking(found, expected):
    """The same scores in the same order; documents that tie may change places."""
    n = min(len(found), len(expected))
    assert [score for _, score in found[:n]] == pytest.approx([s for _, s in expected[:n]], **CLOSE)
    scores = dict(map(tuple, expected))
    for doc, score in found[:n]:
        if doc in scores:
            assert score == pytest.approx(scores[doc], **CLOSE)
        else:
            assert score == pytest.approx(expected[-1][1], **CLOSE)


@pytest.mark.parametrize(
    "tokenizer",
    [
        Tokenizer(),
        Tokenizer("unicode"),
        Tokenizer("paper"),
        Tokenizer(lowercase=False, min_length=2),
        Tokenizer(stop_words=["constructor", "new"]),
        Tokenizer(r"([a-z]+)-"),
        Tokenizer(phrases=[[("new", "york")], [("new_york", "new_york")]]),
    ],
    ids=["words", "unicode", "paper", "case", "stop", "group", "phrases"],
)
def test_words_are_those_of_the_tokenizer(engine_page, tokenizer):
    rng = np.random.default_rng(0)
    words = random_words(rng, 300)
    texts = [random_text(rng, words, int(rng.integers(0, 12))) for _ in range(300)]
    texts += ["ΑΣ'Α ΑΣ İ ΑΣ", "İ'ΑΣ'Α", "İstanbul İŞ", "ŉŉ K", "new york new york new", "\u0378a"]
    texts += [f"{letter * 5000}-{letter * 40}@ {letter * 40}+x" for letter in "aé\U0001d400"]
    # Every character of the first planes: no other version of Unicode may show. What is lower
    # case is a matter of the version, so there only characters that this Python knows are tried.
    every = [chr(c) for c in range(0x14000)]
    if tokenizer.lowercase:
        every = [c for c in every if unicodedata.category(c) != "Cn"]
    texts += ["\n".join(every[i : i + 4096]) for i in range(0, len(every), 4096)]
    for text, found in zip(texts, spans(engine_page, texts, tokenizer), strict=True):
        assert [word for word, _ in found] == tokenizer(text), ascii(text)[:200]
        if tokenizer.lowercase and not tokenizer.phrases:
            for word, shown in found:
                assert shown.lower().replace("ς", "σ") == word.replace("ς", "σ") or len(shown) == 1


@pytest.mark.parametrize("tokenizer", [Tokenizer(), Tokenizer("paper"), Tokenizer(lowercase=False)])
def test_shared_words_are_found_as_an_index_finds_them(engine_page, tokenizer):
    """Looking through the texts against the index of all their words, and against Python."""
    rng = np.random.default_rng(3)
    words = [*random_words(rng, 60), "漢字a", "a漢", "ab", "abc"]
    texts = [random_text(rng, words, int(rng.integers(0, 15))) for _ in range(120)] + [None, ""]
    asked = [random_text(rng, words, 3) for _ in range(40)] + ["zzzz ab", ""]
    facts = tokenizer_facts(tokenizer)
    assert facts["literal"]
    found = engine_page.evaluate(
        """given => {
          const { texts, asked, facts } = JSON.parse(given);
          const indexed = { ...facts, literal: false };
          const ways = [new Overlap(texts, facts), new Overlap(texts, indexed)];
          return JSON.stringify(asked.map(text => ways.map(way => way.search(text, 200))));
        }""",
        as_json({"texts": texts, "asked": asked, "facts": facts}),
    )
    sets = [set(tokenizer(text or "")) for text in texts]
    for text, (scanned, indexed) in zip(asked, json.loads(found), strict=True):
        assert scanned == indexed
        wanted = set(tokenizer(text))
        assert {doc for doc, _ in scanned["found"]} == {i for i, s in enumerate(sets) if s & wanted}
        assert set(scanned["unknown"]) == wanted - set().union(*sets)


def test_buckets_are_those_of_the_model(engine_page):
    words = ["zbo", "größe", "漢", "\U00010428", "a" * 500]
    found = engine_page.evaluate("words => words.map(w => Engine.bucket(w, 4096))", words)
    assert found == [bucket_of(word) for word in words]


def test_the_largest_are_chosen_as_a_sort_would(engine_page):
    rng = np.random.default_rng(0)
    values = rng.integers(0, 20, 300).astype(float)
    values[rng.integers(0, 300, 30)] = np.nan
    found = engine_page.evaluate(
        "v => Arrays.largest(v.map(x => x === null ? NaN : x), 25)",
        [None if np.isnan(v) else v for v in values],
    )
    order = sorted(
        (i for i in range(300) if not np.isnan(values[i])), key=lambda i: (-values[i], i)
    )
    assert found == [[i, values[i]] for i in order[:25]]
