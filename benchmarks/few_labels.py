"""``python -m benchmarks.few_labels``: short texts with 100 and 1,000 labels, and the speed of it.

``PSIFClassifier`` as it comes, and one logistic regression, whose C is chosen by three folds of the
labelled texts, on three kinds of features: vectors of ``psif.load("english")``, vectors of a
model2vec table of the same teacher (``--table``; made there from ``--teacher`` if it is missing),
and TF-IDF of words and pairs of words. All see the labelled texts only. Labels are drawn at random,
the same for all methods.
``--development`` scores training texts that were not drawn instead of test texts.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from psif import PSIFClassifier
from psif.evaluation.data.folders import read_rows

SETS = {
    "Twitter": ("twitter_sentiment/train", "twitter_sentiment/test"),
    "SST-2": ("sst2/train_sentences", "sst2/test"),
}
DRAWS = {100: 10, 1_000: 3}  # by number of labels
_PENALTIES = [0.1, 1.0, 10.0, 100.0]
_MOST_DEVELOPMENT = 1_000
_ROUNDS = 5

Encode = Callable[[Sequence[str]], Any]


@click.command()
@click.option("--table", type=click.Path(path_type=Path), required=True)
@click.option("--teacher", type=click.Path(path_type=Path))
@click.option("--development", is_flag=True)
@click.option("--speed", is_flag=True, help="Measure documents per second instead.")
def command(table: Path, teacher: Path | None, development: bool, speed: bool) -> None:
    """Print one line per set, number of labels and method, as JSON."""
    encoders = _encoders(table, teacher)
    for name, files in SETS.items():
        train, test = (_read(file) for file in files)
        if speed:
            _report({"set": name, **_rates(encoders, test[0])})
            continue
        for n_labels in DRAWS:
            found = scores(train, None if development else test, n_labels, encoders)
            _report({"set": name, "labels": n_labels, **found})


def scores(
    train: tuple[list[str], np.ndarray],
    test: tuple[list[str], np.ndarray] | None,
    n_labels: int,
    encoders: dict[str, Encode],
) -> dict[str, str]:
    """Return mean and deviation of the accuracy of each method over the draws."""
    texts, labels = train
    found: dict[str, list[float]] = {name: [] for name in [*encoders, "tfidf", "PSIFClassifier"]}
    for draw in range(DRAWS[n_labels]):
        order = np.random.default_rng(draw).permutation(len(texts))
        chosen, rest = order[:n_labels], order[n_labels:][:_MOST_DEVELOPMENT]
        seen = [texts[i] for i in chosen]
        new, truth = test or ([texts[i] for i in rest], labels[rest])
        for name, encode in [*encoders.items(), ("tfidf", _tfidf(seen))]:
            rule = _rule().fit(encode(seen), labels[chosen])
            found[name].append(100 * float((rule.predict(encode(new)) == truth).mean()))
        whole = PSIFClassifier(random_state=0).fit(seen, labels[chosen])
        found["PSIFClassifier"].append(100 * whole.score(new, truth))
    return {name: f"{np.mean(v):.1f} ± {np.std(v):.1f}" for name, v in found.items()}


def _encoders(table: Path, teacher: Path | None) -> dict[str, Encode]:
    from model2vec import StaticModel

    import psif
    from benchmarks.peers.model2vec import distil_table

    if not table.exists():
        distil_table(table, teacher)
    english = psif.load("english")
    english.n_jobs = 1
    static = StaticModel.from_pretrained(str(table))
    return {
        "psif": english.transform,
        "model2vec": lambda texts: static.encode(list(texts), use_multiprocessing=False),
    }


def _tfidf(texts: Sequence[str]) -> Encode:
    from sklearn.feature_extraction.text import TfidfVectorizer

    found: Encode = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True).fit(texts).transform
    return found


def _rule() -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV

    return GridSearchCV(LogisticRegression(max_iter=1_000), {"C": _PENALTIES}, cv=3)


def _rates(encoders: dict[str, Encode], texts: list[str]) -> dict[str, float]:
    """Return documents per second, the best of some rounds after a first one."""
    rates: dict[str, float] = {}
    for name, encode in encoders.items():
        encode(texts)
        times = []
        for _ in range(_ROUNDS):
            began = time.perf_counter()
            encode(texts)
            times.append(time.perf_counter() - began)
        rates[name] = round(len(texts) / min(times))
    return rates


def _read(name: str) -> tuple[list[str], np.ndarray]:
    rows = list(read_rows(name))
    return [row["text"] for row in rows], np.array([str(row["label"]) for row in rows])


def _report(found: dict[str, Any]) -> None:
    click.echo(json.dumps(found, ensure_ascii=False))


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        command()
