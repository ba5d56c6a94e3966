"""Random models and texts in many scripts, to check the page's arithmetic against Python's."""

from __future__ import annotations

import json
import warnings

import numpy as np

from psif import PSIF, WordVectors
from psif.documents.averaging import WordTopics
from psif.errors import PsifWarning
from psif.explorer.answers import Answers
from psif.explorer.collection import load_collection
from psif.model.presets import PLAIN
from tests.explorer.worlds import write_vectors

# Letters whose case, width or normal form is a trap; words that are names in JavaScript.
ALPHABETS = [
    "abcdefghij",
    "äéßñıİŁø",
    "αβγσςΣδ",
    "дежзик",
    "漢字語",
    "हिन्दी",
    "\U00010400\U00010428\U00010401",
    "ǅǆﬁﬃŉ",
    "0123456789",
    "K\u212aÅ\u212b",
]
NAMES = ["constructor", "prototype", "hasOwnProperty", "toString"]
BETWEEN = [" ", "  ", ", ", "-", "'", "\n", "🙂", "\u200d", "_", "\U0001f1e6", " \u0378 ", "\ud800"]


def random_words(rng, number):
    words = set(NAMES)
    while len(words) < number:
        letters = list(ALPHABETS[rng.integers(len(ALPHABETS))])
        words.add("".join(rng.choice(letters, rng.integers(1, 6))))
    return sorted(words)


def random_text(rng, words, length):
    parts = []
    for word in rng.choice(words, length).tolist() if length else []:
        styled = [word, word, word.upper(), word.title()][rng.integers(4)]
        parts += [styled, BETWEEN[rng.integers(len(BETWEEN))]]
        if rng.random() < 0.03:
            parts += ["new york "]
    return "".join(parts)


def random_settings(rng, number):
    """Settings of model ``number``; what must be covered is counted through, the rest drawn."""
    compact = number % 3 == 1
    return {
        "n_topics": int(rng.integers(2, 6)),
        "n_removed": number % 3,
        "word_columns": [0.0, 0.3, 0.7][number // 3 % 3],
        "unknown": ["skip", "hash"][number // 2 % 2],
        "counts": ["raw", "log"][number % 2],
        "phrases": int(number % 4 == 3),
        "tokenizer": "paper" if number % 7 == 5 else "unicode",
        "weighting": str(rng.choice(["sif", "idf", "root-idf"])),
        "codes": str(rng.choice(["signed", "nonnegative", "nonnegative-unit"])),
        "shared_topic": float(rng.choice([0.0, 0.5])),
        "word_norm": str(rng.choice(["unit", "none"])),
        **({"n_dims": 6} if compact else {}),
    }


def random_answers(folder, number, n_docs=80):
    """Answers about a random model whose numbers have 16 bits already, and texts to ask about."""
    rng = np.random.default_rng(number)
    words = random_words(rng, 90)
    known = [*dict.fromkeys(word.lower() for word in words[::2]), "new", "york", "new_york"]
    table = WordVectors(known, rng.standard_normal((len(known), int(rng.integers(3, 9)))))
    texts = [random_text(rng, words, int(rng.integers(0, 30))) for _ in range(n_docs)]
    settings = random_settings(rng, number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PsifWarning)
        model = PSIF(table, random_state=0, **{**PLAIN, **settings}).fit(texts)
        round_model(model)
        docs = {f"d{i}": text for i, text in enumerate(texts)}
        path = write_vectors(model, docs, folder / f"{number}.npy")
        answers = Answers(load_collection(model, path, docs.items()))
    asked = [random_text(rng, words, length) for length in (0, 1, 5, 20)]
    return answers, settings, asked


def round_model(model):
    """Round a model's words to 16 bits, as the page has them."""
    words = model.words_

    def half(matrix):
        return matrix.astype(np.float16).astype(np.float32)

    model.words_ = WordTopics(words.weights, half(words.codes), half(words.vectors), words.counts)
    if model.table_ is not None:
        model.table_ = half(model.table_)


def as_json(value):
    """Lone surrogates stay escapes, which JSON.parse reads back."""
    return json.dumps(value, ensure_ascii=True)
