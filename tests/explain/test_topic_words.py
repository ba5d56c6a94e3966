import numpy as np
import pytest

from psif import PSIF
from psif.documents.averaging import WordTopics
from psif.explain.assigning import Assignment, assign, standing_out
from psif.explain.topic_words import learn_topic_words, topic_words_of_codes
from psif.explain.topics import document_shares
from psif.text.flat import FlatDocs
from tests import corpora

NAMES = ["the", "ship", "sail", "goal", "team"]
WORDS = WordTopics(
    weights=np.array([0.1, 1, 1, 1, 1], np.float32),
    codes=np.array([[0.7, 0.7], [1, 0], [1, 0], [0, 1], [0, 1]], np.float32),
    vectors=np.eye(5, 3, dtype=np.float32),
)
SEA, SPORT = [0, 0, 1, 2], [0, 0, 3, 4]


def docs_of(lists):
    return FlatDocs.concatenate(
        [FlatDocs(np.array(x, np.int32), np.array([0, len(x)]), np.array([len(x)])) for x in lists]
    )


def test_topics_are_named_after_documents_in_which_they_stand_out():
    found = learn_topic_words(WORDS, NAMES, docs_of([SEA, SPORT, SEA, SPORT]))
    words = [[NAMES[i] for i in found.of(topic, 5)[0]] for topic in (0, 1)]
    assert words == [["ship", "sail"], ["goal", "team"]]
    assert found.means == pytest.approx([0.5, 0.5])
    assert found.of(0, 1)[0] == [1]


def test_names_from_codes_alone():
    found = topic_words_of_codes(WORDS, NAMES, np.array([9, 2, 2, 2, 2]))
    assert [NAMES[i] for i in found.of(0, 9)[0]] == ["ship", "sail"]
    assert found.means.sum() == pytest.approx(1)


def test_a_shared_topic_has_no_share_and_no_name():
    words = WordTopics(
        WORDS.weights, np.hstack([np.full((5, 1), 0.7, np.float32), WORDS.codes]), WORDS.vectors,
        n_shared=1,
    )  # fmt: skip
    docs = docs_of([SEA, SPORT])
    shares = document_shares(words, docs)
    assert (shares[:, 0] == 0).all()
    assert shares.sum(axis=1) == pytest.approx([1, 1])
    assert learn_topic_words(words, NAMES, docs).of(0, 5)[0] == []
    topics, _ = standing_out(shares, shares.mean(axis=0))
    assert topics.tolist() == [1, 2]
    assert words.topic_weights()[0] == pytest.approx([0, 0.5, 0.5])
    assert words.topic_weights().sum(axis=1) == pytest.approx(np.ones(5))


def test_what_stands_out_is_not_what_is_largest():
    shares = np.array([[0.7, 0.3, 0], [0.9, 0.1, 0], [0, 0, 0]], np.float32)
    topics, strength = standing_out(shares, shares[:2].mean(axis=0))
    assert topics.tolist() == [1, 0, -1]
    assert strength == pytest.approx([0.1, 0.1, 0])
    named = assign(shares, shares[:2].mean(axis=0), ["a", "b", "c"])
    assert named[2] == Assignment(-1, 0, "")
    assert [name for _, _, name in named] == ["b", "a", ""]


def test_a_model_assigns_and_keeps_its_names(tmp_path):
    texts = corpora.texts()
    model = PSIF(corpora.vectors(), partition="kmeans", n_topics=4, random_state=0).fit(texts)
    assigned = model.assign_topics(texts)
    assert len(assigned) == len(texts)
    assert {one.name for one in assigned} <= set(model.topic_names_)
    assert max(np.bincount([one.topic for one in assigned])) < 0.7 * len(texts)
    model.save(tmp_path / "model")
    again = PSIF.load(tmp_path / "model")
    assert again.assign_topics(texts) == assigned
    assert again.topics() == model.topics()
    card = (tmp_path / "model" / "README.md").read_text()
    largest = max(model.topics(), key=lambda topic: topic.share)
    assert largest.words[0] in card


def test_html_of_a_topic_is_escaped():
    from dataclasses import replace

    model = PSIF(corpora.vectors(), n_topics=2, random_state=0).fit(corpora.texts())
    topic = model.topics()[0]
    page = replace(topic, words=["<b>", "sea"], opposite_words=["<i>"])._repr_html_()
    assert "&lt;b&gt; sea" in page
    assert "<i>" not in page
    assert f"{topic.share:.1%} of the corpus" in page
