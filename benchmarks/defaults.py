"""``python -m benchmarks.defaults``: what the settings of :class:`psif.PSIF` reach, job by job.

For each set: accuracy of ``make_pipeline(PSIF(), LogisticRegression())`` beside TF-IDF, P@10 of
nearest neighbours, coherence (NPMI) and stop words of the names of topics beside NMF, the largest
share of documents in one topic, what the three first topics explain of a score, and CPU-seconds of
the fit. Settings are chosen on ``--split dev``, which is cut from training data.
"""

from __future__ import annotations

import json
import random
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from psif.evaluation.data.folders import read_rows

SETS = {
    "20news": "20news_bydate",
    "r8": "reuters_r8",
    "ohsumed": "ohsumed10",
    "amazon": "amazon",
    "bbcsport": "bbcsport",
    "twitter": "twitter_sentiment",
    "classic": "classic4",
    "recipe": "recipe_l",
}
_NEAREST = 10
_NAME_WORDS = 10
_PAIRS = 300
_FIRST_TOPICS = 3


@dataclass(frozen=True)
class Split:
    """Documents to learn from, and documents to score."""

    train: list[str]
    train_labels: np.ndarray
    test: list[str]
    test_labels: np.ndarray


def load(name: str, part: str) -> Split:
    """Read a set: its test split, or a later or random fifth of its training documents."""
    rows = list(read_rows(f"{SETS[name]}/train"))
    train, test = (rows, list(read_rows(f"{SETS[name]}/test"))) if part == "test" else _cut(rows)
    return Split(
        [row["text"] for row in train],
        np.array([row["label"] for row in train]),
        [row["text"] for row in test],
        np.array([row["label"] for row in test]),
    )


def _cut(rows: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Cut off a fifth: the latest posts of each newsgroup, else at random, copies together."""
    train: list[dict[str, Any]] = []
    test: list[dict[str, Any]] = []
    if str(rows[0]["id"]).startswith("alt.atheism/"):
        groups: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            groups.setdefault(row["label"], []).append(row)
        for members in groups.values():
            members.sort(key=lambda row: int(row["id"].split("/")[1]))
            last = len(members) - len(members) // 5
            train += members[:last]
            test += members[last:]
        return train, test
    copies: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        copies.setdefault(row["text"], []).append(row)
    texts = sorted(copies)
    random.Random(0).shuffle(texts)
    for text in texts:
        (test if len(test) < len(rows) // 5 else train).extend(copies[text])
    random.Random(1).shuffle(train)
    return train, test


def accuracy(train: Any, test: Any, data: Split) -> float:
    """Accuracy of ``LogisticRegression()`` as it comes, in per cent."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression().fit(train, data.train_labels)
    return 100 * float(model.score(test, data.test_labels))


def precision_at_10(train: np.ndarray, test: np.ndarray, data: Split) -> float:
    """Share of the ten nearest training documents that have the class of a document."""
    right = 0.0
    for start in range(0, len(test), 1_024):
        alike = test[start : start + 1_024] @ train.T
        best = np.argpartition(-alike, _NEAREST, axis=1)[:, :_NEAREST]
        same = data.train_labels[best] == data.test_labels[start : start + 1_024, None]
        right += float(same.mean(axis=1).sum())
    return 100 * right / len(test)


def npmi(present: Any, topics: Sequence[Sequence[int]]) -> float:
    """Mean normalised pointwise mutual information of the words of topics, within documents.

    ``present`` is a sparse matrix, documents by words, with ones. A topic with fewer than two
    words has none.
    """
    n_docs, scores = present.shape[0], []
    for words in topics:
        columns = present[:, list(words)].toarray().astype(np.float64)
        both = columns.T @ columns
        of_pairs = [
            _npmi(both[i, j] / n_docs, both[i, i] / n_docs, both[j, j] / n_docs)
            for i in range(len(words))
            for j in range(i)
        ]
        scores.append(float(np.mean(of_pairs)) if of_pairs else 0.0)
    return float(np.mean(scores))


def _npmi(both: float, first: float, second: float) -> float:
    if both <= 0:
        return -1.0
    return 1.0 if both >= 1 else float(np.log(both / (first * second)) / -np.log(both))


def tfidf(data: Split) -> dict[str, float]:
    """TF-IDF of scikit-learn, all defaults."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer()
    train = vectorizer.fit_transform(data.train)
    return {"tfidf_accuracy": accuracy(train, vectorizer.transform(data.test), data)}


def nmf(data: Split, n_topics: int) -> dict[str, float]:
    """NMF of scikit-learn over TF-IDF with its English stop list."""
    from sklearn.decomposition import NMF
    from sklearn.feature_extraction.text import TfidfVectorizer

    weights = TfidfVectorizer(stop_words="english", min_df=2, max_df=0.95).fit_transform(data.train)
    model = NMF(n_topics, random_state=0).fit(weights)
    best = [np.argsort(-row)[:_NAME_WORDS].tolist() for row in model.components_]
    return {"nmf_npmi": npmi((weights > 0).astype(np.float32).tocsc(), best)}


def psif(data: Split, settings: dict[str, Any], *, all_numbers: bool) -> dict[str, float]:
    """Everything about a model with these settings."""
    from psif import PSIF

    began = time.process_time()
    model = PSIF(**{"random_state": 0, **settings})
    train = model.fit_transform(data.train)
    found = {"fit_cpu_seconds": time.process_time() - began, "numbers": train.shape[1]}
    test = model.transform(data.test)
    found["accuracy"] = accuracy(train, test, data)
    found["precision_at_10"] = precision_at_10(train, test, data)
    found |= _topics(model, data) | {"three_topics": _three_topics(model, data)}
    if all_numbers:
        wide = PSIF(**{"random_state": 0, **settings, "n_dims": None})
        rows = wide.fit_transform(data.train)
        found["all_numbers"] = rows.shape[1]
        found["accuracy_all_numbers"] = accuracy(rows, wide.transform(data.test), data)
    return found


def _topics(model: Any, data: Split) -> dict[str, float]:
    from scipy.sparse import csc_array
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    topics = [topic for topic in model.topics(n_words=_NAME_WORDS) if not topic.is_shared]
    index = model.vocabulary_.index
    present = csc_array(model.words_.shares(model.word_ids(data.train)) > 0, dtype=np.float32)
    every = [word for topic in topics for word in topic.words]
    assigned = np.array([one.topic for one in model.assign_topics(data.train)])
    return {
        "topics": len(topics),
        "npmi": npmi(present, [[index[word] for word in topic.words] for topic in topics]),
        "stop_words": 100 * float(np.mean([word in ENGLISH_STOP_WORDS for word in every])),
        "largest_topic": 100 * float(np.bincount(assigned[assigned >= 0]).max() / len(assigned)),
    }


def _three_topics(model: Any, data: Split) -> float:
    """Mean share of the score that the three first topics explain, pairs of one class."""
    shares = []
    for a, b in _pairs(data):
        why = model.explain(a, b, n_pairs=0)
        if why.score > 0:
            first = sum(topic.share for topic in why.topics[:_FIRST_TOPICS])
            shares.append(first / why.score)
    return 100 * float(np.mean(shares))


def _pairs(data: Split) -> Iterator[tuple[str, str]]:
    rng = np.random.default_rng(0)
    for _ in range(_PAIRS):
        label = data.train_labels[rng.integers(len(data.train))]
        first, second = rng.choice(np.flatnonzero(data.train_labels == label), 2, replace=False)
        yield data.train[int(first)], data.train[int(second)]


@click.command()
@click.option("--split", "part", type=click.Choice(["dev", "test"]), default="dev")
@click.option("--sets", default=",".join(SETS), show_default=True)
@click.option("--settings", default="{}", help="JSON: settings of PSIF other than the defaults.")
@click.option("--all-numbers", is_flag=True, help="Also with n_dims=None, which takes minutes.")
@click.option("--peers/--no-peers", default=True, help="TF-IDF and NMF too.")
def command(part: str, sets: str, settings: str, all_numbers: bool, peers: bool) -> None:
    """Print one line of JSON per set."""
    warnings.simplefilter("ignore")
    chosen = json.loads(settings)
    for name in sets.split(","):
        data = load(name, part)
        row: dict[str, Any] = {"set": name, "split": part}
        row |= psif(data, chosen, all_numbers=all_numbers)
        if peers:
            row |= tfidf(data) | nmf(data, int(row["topics"]))
        shown = {k: round(v, 3) if isinstance(v, float) else v for k, v in row.items()}
        click.echo(json.dumps(shown))


if __name__ == "__main__":
    command()
