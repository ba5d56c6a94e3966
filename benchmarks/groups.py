"""Groups beside k-means: V-measure and adjusted Rand index on labelled documents.

``python -m benchmarks.groups --sets bbcsport,ohsumed10`` fits on training documents, groups the
test documents into as many groups as there are classes, and compares ``model.groups`` with k-means
(the best of three starts) on the same vectors, on SIF averages and on TF-IDF + SVD of the same
tokens, and with ``--model2vec FOLDER`` on a static table of a sentence encoder. "number chosen" is
the number that ``model.groups`` takes without being told; ``--bertopic`` runs BERTopic with its
defaults (UMAP to 5 dimensions, HDBSCAN of at least 10) on the same vectors. With ``--dev`` the
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


def bertopic(vectors: Any, texts: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield the topics of BERTopic; outliers are one group of their own, or given to the others."""
    from bertopic import BERTopic
    from hdbscan import HDBSCAN
    from umap import UMAP

    # BERTopic's own defaults; only the seed is ours.
    reduce = UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=0)
    model = BERTopic(umap_model=reduce, hdbscan_model=HDBSCAN(min_cluster_size=10))
    topics, _ = model.fit_transform(texts, vectors)
    yield "BERTopic, outliers apart", np.array(topics)
    if -1 in topics and max(topics) >= 0:
        topics = model.reduce_outliers(texts, topics, strategy="embeddings", embeddings=vectors)
    yield "BERTopic, outliers reduced", np.array(topics)


def measure(
    data: Path, name: str, *, dev: bool, table: Path | None, with_bertopic: bool
) -> Iterator[dict[str, Any]]:
    from psif import PSIF
    from psif.baselines import make_method
    from psif.baselines.sif import sif
    from psif.baselines.tfidf_svd import TfIdfSvd

    fit, texts, classes = read(data, name, dev=dev)
    n_groups = len(set(classes))
    model = PSIF.from_preset("retrieval", random_state=0).fit(fit)
    found = model.groups(texts, n_groups)
    chosen = model.groups(texts)
    own = model.transform(texts)
    rows = [
        ("groups", found.nearest, n_groups),
        ("groups, number chosen", chosen.nearest, len(chosen)),
        ("k-means, psif", kmeans(own, n_groups), n_groups),
    ]
    peers: list[tuple[str, Any]] = [
        ("sif", sif(tokenizer="paper", random_state=0)),
        ("tfidf-svd", TfIdfSvd(tokenizer="paper", random_state=0)),
    ]
    if table is not None:
        peers.append(("model2vec", make_method("model2vec", path=table)))
    for method, peer in peers:
        vectors = peer.fit(fit).transform(texts)
        rows.append((f"k-means, {method}", kmeans(vectors, n_groups), n_groups))
    if with_bertopic:
        rows += [(method, t, len(set(t.tolist()) - {-1})) for method, t in bertopic(own, texts)]
    for method, labels, number in rows:
        v, ari = scores(classes, labels)
        yield {"set": name, "dev": dev, "method": method, "groups": number, "V": v, "ARI": ari}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--dev", action="store_true")
    parser.add_argument("--model2vec", type=Path, help="a folder that model2vec saved")
    parser.add_argument("--bertopic", action="store_true")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PSIF_DATA", ".")))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    means: dict[str, list[tuple[float, float]]] = {}
    for name in options.sets.split(","):
        found = measure(
            options.data,
            name,
            dev=options.dev,
            table=options.model2vec,
            with_bertopic=options.bertopic,
        )
        for row in found:
            means.setdefault(row["method"], []).append((row["V"], row["ARI"]))
            print(json.dumps(row), flush=True)
    for method, values in means.items():
        v, ari = np.mean(values, axis=0).round(2).tolist()
        print(json.dumps({"set": "mean", "method": method, "V": v, "ARI": ari}))


if __name__ == "__main__":
    main()
