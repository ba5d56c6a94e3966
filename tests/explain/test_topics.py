import numpy as np
import pytest

from psif import PSIF
from psif.documents.averaging import WordTopics
from psif.errors import InputError
from psif.explain.senses import find_senses
from psif.explain.topic_words import topic_words_of_codes
from psif.explain.topics import describe_topics, nearest_topics, topic_shares
from psif.text.vocabulary import Vocabulary
from tests import corpora

WORDS = WordTopics(
    weights=np.array([1, 0.5, 1], np.float32),
    codes=np.array([[2, 0], [0, -1], [1, 1]], np.float32),
    vectors=np.eye(3, 2, dtype=np.float32),
)
NAMES = ["north", "south", "east"]
ATOMS = np.array([[1, 0], [1, 1]], np.float32)


@pytest.fixture(scope="module")
def model():
    options = {"partition": "kmeans", "n_topics": 4, "random_state": 0}
    return PSIF(corpora.vectors(), **options).fit(corpora.texts())


def test_by_hand():
    counts = np.array([3, 4, 1])
    shares = topic_shares(WORDS, counts)
    # Topic 0: 3*1*2 + 1*1*1 = 7; topic 1: 4*0.5*1 + 1*1*1 = 3.
    assert shares == pytest.approx([0.7, 0.3])
    first, second = describe_topics(
        WORDS, NAMES, counts, 5, atoms=ATOMS, topic_words=topic_words_of_codes(WORDS, NAMES, counts)
    )
    assert (first.words, first.opposite_words) == (["north"], [])
    assert (second.words, second.opposite_words) == (["east"], ["south"])
    assert first.name == first.label == "north"
    assert (first.nearest, second.nearest) == ([1], [0])
    assert first.examples == []


def test_nearest_topics_fall_in_cosine():
    atoms = np.array([[1, 0], [1, 0.1], [-1, 0], [0, 1]], np.float32)
    assert nearest_topics(atoms)[0] == [1, 3, 2]
    assert nearest_topics(atoms[:1]) == [[]]


def test_examples_are_documents_of_the_topic(model):
    texts = corpora.texts()
    shares = model.document_topics(texts)
    for topic in model.topics(texts=texts, n_examples=2):
        assert len(topic.examples) <= 2
        for i in topic.examples:
            assert shares[i, topic.index] > 0
        if topic.examples:
            assert shares[topic.examples[0], topic.index] == shares[:, topic.index].max()
    assert all(topic.examples == [] for topic in model.topics())


# A bank lies between money and rivers; every other word keeps to one topic.
SEVERAL = {
    "bank": ([0.8, 0.6], [0.7, 0.7]),
    "loan": ([1, 0.1], [1, 0.1]),
    "credit": ([1, 0], [1, 0]),
    "shore": ([0, 1], [0, 1]),
    "water": ([0.1, 1], [0.1, 1]),
}


def senses(word):
    codes, vectors = (np.array(rows, np.float32) for rows in zip(*SEVERAL.values(), strict=True))
    words = WordTopics(np.ones(5, np.float32), codes, vectors)
    counts = np.full(5, 9)
    known = Vocabulary(list(SEVERAL), counts, counts, 9)
    return find_senses(words, known, np.eye(2, dtype=np.float32), word, 2, 5)


def test_senses_of_a_word_have_their_own_neighbours():
    first, second = senses("bank")
    assert (first.topic, set(first.words)) == (0, {"loan", "credit"})
    assert (second.topic, set(second.words)) == (1, {"shore", "water"})
    assert (first.share, second.share) == (pytest.approx(0.64), pytest.approx(0.36))
    assert str(first).startswith("topic   0   64.0%")
    assert [sense.topic for sense in senses("credit")] == [0]


def test_words_of_several_senses_come_first():
    found = senses(None)
    assert next(iter(found)) == "bank"
    assert set(found) == {"bank", "loan", "water"}
    assert len(found["bank"]) == 2


def test_senses_of_an_unknown_word(model):
    with pytest.raises(InputError, match=r"does not know the word 'shipp'. Did you mean 'ship'"):
        model.senses("shipp")


def test_one_topic_has_no_second_sense():
    model = PSIF(corpora.vectors(), n_topics=1, random_state=0).fit(corpora.texts())
    assert model.senses() == {}
    assert [sense.share for sense in model.senses("ship")] == [pytest.approx(1)]
    assert model.topics()[0].nearest == []
