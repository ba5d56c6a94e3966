from itertools import pairwise

import numpy as np
import pytest

from psif import PSIF, PSIFClassifier

ANIMALS = ["cat", "dog", "purr", "bark", "paw", "fur", "kitten", "puppy"]
MONEY = ["stock", "bank", "share", "fund", "price", "trade", "bond", "loan"]
SHIPS = ["ship", "sail", "port", "deck", "mast", "crew", "storm", "wave"]
COMMON = ["the", "a", "of", "and"]


def make_texts(n_docs, topics=(ANIMALS, MONEY, SHIPS), seed=0):
    """Texts of 12 words, two thirds of them of their class, and the class of each."""
    rng = np.random.default_rng(seed)
    texts, classes = [], []
    for i in range(n_docs):
        kind = i % len(topics)
        words = [*rng.choice(topics[kind], 8), *rng.choice(COMMON, 4)]
        texts.append(" ".join(rng.permutation(words)))
        classes.append(("animals", "money", "ships")[kind])
    return texts, classes


GOOD = [
    "excellent", "wonderful", "superb", "delightful", "brilliant", "charming", "lovely",
    "fantastic", "amazing", "great", "beautiful", "enjoyable", "pleasant", "terrific", "perfect",
    "marvelous", "splendid", "good", "happy", "fun",
]  # fmt: skip
BAD = [
    "terrible", "awful", "dreadful", "horrible", "boring", "dull", "poor", "bad", "ugly",
    "disgusting", "unpleasant", "annoying", "stupid", "worst", "lousy", "miserable",
    "disappointing", "sad", "tedious", "mess",
]  # fmt: skip


def small_model(**settings):
    """A small model that learns from the texts alone."""
    return PSIF.from_preset(
        "classification",
        **{
            "n_topics": 4, "dim": 6, "min_count": 1, "random_state": 0, "vectors": "ppmi",
            **settings,
        },
    )  # fmt: skip


def opinions(words):
    """Texts that share all words but one, which no other text has."""
    return [f"this film was {word} and the story of it too" for word in words]


@pytest.fixture(scope="session")
def fitted_english():
    """A classifier that can only know the meaning of words from the table of English."""
    texts = opinions(GOOD[::2]) + opinions(BAD[::2])
    y = ["good"] * 10 + ["bad"] * 10
    return PSIFClassifier(small_model(vectors="auto"), random_state=0).fit(texts, y)


@pytest.fixture(scope="session")
def fitted():
    texts, y = make_texts(60)
    return PSIFClassifier(small_model(), random_state=0).fit(texts, y)


@pytest.fixture(scope="session")
def fitted_pair():
    texts, y = make_texts(40, (ANIMALS, MONEY))
    return PSIFClassifier(small_model(), random_state=0).fit(texts, y)


@pytest.fixture(scope="session")
def fitted_several():
    texts, y = make_texts(60)
    both = [f"{a} {b}" for a, b in pairwise(texts)]
    labels = [sorted({a, b}) for a, b in pairwise(y)]
    return PSIFClassifier(small_model(), random_state=0).fit(
        texts + both, [[c] for c in y] + labels
    )


@pytest.fixture(scope="session")
def fitted_with_pairs():
    texts, y = make_texts(60)
    return PSIFClassifier(small_model(), pairs=True, random_state=0).fit(texts, y)
