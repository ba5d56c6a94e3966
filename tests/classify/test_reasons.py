import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psif.errors import InputError
from tests.classify.conftest import ANIMALS, BAD, COMMON, GOOD, MONEY, SHIPS, make_texts

TEXTS = st.lists(
    st.sampled_from([*ANIMALS, *MONEY, *SHIPS, *COMMON, "unheard"]), min_size=1, max_size=20
).filter(lambda words: set(words) != {"unheard"})


@pytest.mark.filterwarnings("ignore::psif.errors.EmptyDocumentsWarning")
@settings(max_examples=40, deadline=None)
@given(TEXTS, st.integers(0, 3))
def test_parts_sum_to_the_score_of_every_class(
    fitted, fitted_pair, fitted_several, fitted_with_pairs, words, number
):
    clf = (fitted, fitted_pair, fitted_several, fitted_with_pairs)[number]
    text = " ".join(words)
    values = clf.decision_function([text])[0]
    scores = [-values, values] if clf is fitted_pair else values
    for label, score in zip(clf.classes_, scores, strict=True):
        found = clf.explain(text, label).to_dict()
        by_word = found["bias"] + sum(word["share"] for word in found["words"])
        by_topic = found["bias"] + sum(topic["share"] for topic in found["topics"])
        assert by_word == pytest.approx(found["score"], abs=1e-6)
        assert by_topic + found["exact_words"] == pytest.approx(found["score"], abs=1e-6)
        assert found["score"] == pytest.approx(float(score), abs=1e-5)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([*GOOD, *BAD, "film", "unheard"]), min_size=1, max_size=12))
@pytest.mark.filterwarnings("ignore::psif.errors.EmptyDocumentsWarning")
def test_parts_with_the_table_of_a_language_sum_to_the_score(fitted_english, words):
    text = " ".join(words)
    found = fitted_english.explain(text, "good").to_dict()
    by_word = found["bias"] + sum(word["share"] for word in found["words"])
    by_topic = found["bias"] + sum(topic["share"] for topic in found["topics"])
    by_topic += found["exact_words"] + found["language"]
    assert by_word == pytest.approx(found["score"], abs=1e-6)
    assert by_topic == pytest.approx(found["score"], abs=1e-6)
    assert found["score"] == pytest.approx(fitted_english.decision_function([text])[0], abs=1e-5)


@settings(max_examples=20, deadline=None)
@given(TEXTS)
def test_one_class_against_another_is_the_difference_of_scores(fitted, words):
    text = " ".join(words)
    both = fitted.explain(text, "money", against="ships")
    single = fitted.explain(text, "money").score - fitted.explain(text, "ships").score
    assert both.score == pytest.approx(single, abs=1e-6)
    assert both.bias + sum(word.share for word in both.words) == pytest.approx(both.score, abs=1e-6)


def test_the_predicted_label_is_explained_by_its_words(fitted, fitted_pair):
    for clf in (fitted, fitted_pair):
        found = clf.explain("the cat and the puppy purr")
        assert found.label == "animals"
        assert found.score > 0
        assert {word.word for word in found.words[:3]} == {"cat", "puppy", "purr"}
        assert all(word.share > 0 for word in found.words[:3])
    swapped = fitted_pair.explain("cat puppy", "money", against="animals")
    assert swapped.score == pytest.approx(-fitted_pair.explain("cat puppy").score)


def test_repeated_words_are_one_part_and_unknown_words_none(fitted):
    found = fitted.explain("cat cat unheard cat")
    assert [word.word for word in found.words] == ["cat"]


def test_an_empty_text_has_the_bias_as_its_score(fitted):
    found = fitted.explain("")
    assert found.words == []
    assert found.score == found.bias == pytest.approx(float(fitted.intercepts_.max()))


def test_to_dict_is_json_and_the_text_is_short(fitted):
    found = fitted.explain(" ".join([*ANIMALS, *MONEY]))
    assert json.loads(json.dumps(found.to_dict()))["label"] == found.label
    lines = str(found).splitlines()
    assert lines[0] == f"{found.label}: score {found.score:+.3f}"
    assert lines[1] == f"  {found.bias:+.3f}  bias"
    assert lines[-2].endswith("8 other words")


def test_html_tints_words_and_escapes_the_text(fitted):
    html = fitted.explain("<script>cat</script> Bank & ship", "animals")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "hsla(140" in html  # cat speaks for animals
    assert "hsla(5" in html  # Bank speaks against them
    assert ">Bank</span>" in html
    assert "against money" in fitted.explain("cat", "ships", against="money")._repr_html_()


def test_wrong_questions(fitted):
    with pytest.raises(InputError, match="no class is called 'planes'; the classes are 'animals'"):
        fitted.explain("cat", "planes")
    with pytest.raises(InputError, match="label and against are both 'money'"):
        fitted.explain("cat", "money", against="money")
    with pytest.raises(InputError, match="explain takes one text, got list"):
        fitted.explain(["cat"])


def test_description_of_classes(fitted):
    described = {one.label: one for one in fitted.describe(n_words=6)}
    assert list(described) == ["animals", "money", "ships"]
    for label, words in (("animals", ANIMALS), ("money", MONEY), ("ships", SHIPS)):
        one = described[label]
        assert {word.word for word in one.words_for[:4]} <= set(words)
        assert not {word.word for word in one.words_against} & set(words)
        assert json.dumps(one.to_dict())
        assert str(one).startswith(f"{label}\n  for: {one.words_for[0].word}")


def test_description_is_the_mean_share_over_training_documents(fitted):
    texts = make_texts(60)[0]  # those of the fit
    shares = [
        word.share
        for text in texts
        for word in fitted.explain(text, "ships").words
        if word.word == "mast"
    ]
    (ships,) = (one for one in fitted.describe(n_words=50) if one.label == "ships")
    (mean,) = (word.share for word in ships.words_for if word.word == "mast")
    assert mean == pytest.approx(sum(shares) / len(texts), rel=1e-3)


def test_the_surest_mistakes_are_the_wrong_labels(fitted, fitted_pair):
    texts, y = make_texts(12, seed=1)
    noisy = list(y)
    noisy[4] = "ships"  # it is about money
    (found,) = fitted.errors(texts, noisy)
    assert (found.position, found.given, found.predicted) == (4, "ships", "money")
    assert found.reasons.label == "money"
    assert found.reasons.against == "ships"
    assert found.margin == pytest.approx(found.reasons.score, abs=1e-5)
    assert str(found).startswith("document 4: predicted money, given ships\nmoney against ships")
    assert fitted.errors(texts, y) == []
    texts, y = make_texts(6, (ANIMALS, MONEY), seed=1)
    found = fitted_pair.errors(texts, y[::-1])
    assert len(found) == 6
    margins = [one.margin for one in found]
    assert margins == sorted(margins, reverse=True)
    assert margins == pytest.approx([one.reasons.score for one in found], abs=1e-5)


def test_mistakes_of_labels_never_seen_and_of_several_labels(fitted, fitted_several):
    (found,) = fitted.errors(["cat purr"], ["planes"])
    assert found.reasons.against is None
    (found,) = fitted_several.errors(["cat purr fur", "bank loan"], [["animals"], []])
    assert (found.position, found.predicted, found.reasons.label) == (1, ["money"], "money")
    assert np.sign(found.reasons.score) == 1
    with pytest.raises(InputError, match="fitted with lists of labels"):
        fitted_several.errors(["cat"], ["animals"])


def test_pairs_are_reasons_and_describe_classes(fitted_with_pairs):
    first, second = (
        fitted_with_pairs.model_.vocabulary_.words[i] for i in fitted_with_pairs.pairs_.words_of(0)
    )
    found = fitted_with_pairs.explain(f"{first} {second} {second}")
    names = {word.word for word in found.words}
    assert f"{first} {second}" in names
    assert {first, second} <= names
    described = fitted_with_pairs.describe(n_words=200)
    assert any(" " in word.word for one in described for word in one.words_for)
