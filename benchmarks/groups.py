"""Groups beside k-means: V-measure and adjusted Rand index on labelled documents.

``python -m benchmarks.groups --sets bbcsport,ohsumed10`` fits on training documents, groups the
test documents into as many groups as there are classes, and compares ``model.groups`` with k-means
(the best of three starts) on the same vectors, on SIF averages and on TF-IDF + SVD of the same
tokens. ``chosen`` is the number that ``model.groups`` takes without being told. With ``--dev`` the
training documents are cut in two, and no test document is read.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

SETS = ("bbcsport", "twitter_sentiment", "ohsumed10", "classic4", "reuters_r8", "20news_bydate")


def read(data: Path, name: str, *, dev: bool) -> tuple[list[str], list[str], list[str]]:
    """Return texts to fit, texts to group, and the classes of the latter."""
    parts = []
    for part in ("train",) if dev else ("train", "test"):
        with gzip.open(data / name / f"{part}.jsonl.gz", "rt", encoding="utf-8") as file:
            parts.append([json.loads(line) for line in file])
    fit, grouped = parts[0], parts[-1]
    if dev:
        order = np.random.default_rng(0).permutation(len(fit)).tolist()
        cut = int(0.6 * len(fit))
        fit, grouped = [fit[i] for i in order[:cut]], [fit[i] for i in order[cut:]]
    return (
        [row["text"] for row in fit],
        [row["text"] for row in grouped],
        [str(row["label"]) for row in grouped],
    )


def scores(classes: list[str], labels: Any) -> tuple[float, float]:
    from sklearn.metrics import adjusted_rand_score, v_measure_score

    v, ari = v_measure_score(classes, labels), adjusted_rand_score(classes, labels)
    return round(100 * float(v), 2), round(100 * float(ari), 2)


def kmeans(vectors: Any, n_groups: int) -> Any:
    from sklearn.cluster import KMeans
    from sklearn.preprocessing import normalize

    return KMeans(n_groups, n_init=3, random_state=0).fit_predict(normalize(vectors))


def measure(data: Path, name: str, *, dev: bool) -> Iterator[dict[str, Any]]:
    from psif import PSIF
    from psif.baselines.sif import sif
    from psif.baselines.tfidf_svd import TfIdfSvd

    fit, texts, classes = read(data, name, dev=dev)
    n_groups = len(set(classes))
    model = PSIF.from_preset("retrieval", random_state=0).fit(fit)
    found = model.groups(texts, n_groups)
    chosen = model.groups(texts)
    rows = [
        ("groups", found.nearest, n_groups),
        ("groups, number chosen", chosen.nearest, len(chosen)),
        ("k-means, psif", kmeans(model.transform(texts), n_groups), n_groups),
    ]
    peers: tuple[tuple[str, Any], ...] = (
        ("sif", sif(tokenizer="paper", random_state=0)),
        ("tfidf-svd", TfIdfSvd(tokenizer="paper", random_state=0)),
    )
    for method, peer in peers:
        vectors = peer.fit(fit).transform(texts)
        rows.append((f"k-means, {method}", kmeans(vectors, n_groups), n_groups))
    for method, labels, number in rows:
        v, ari = scores(classes, labels)
        yield {"set": name, "dev": dev, "method": method, "groups": number, "V": v, "ARI": ari}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--dev", action="store_true")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PSIF_DATA", ".")))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    means: dict[str, list[tuple[float, float]]] = {}
    for name in options.sets.split(","):
        for row in measure(options.data, name, dev=options.dev):
            means.setdefault(row["method"], []).append((row["V"], row["ARI"]))
            print(json.dumps(row), flush=True)
    for method, values in means.items():
        v, ari = np.mean(values, axis=0).round(2).tolist()
        print(json.dumps({"set": "mean", "method": method, "V": v, "ARI": ari}))


if __name__ == "__main__":
    main()
