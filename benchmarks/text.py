"""Raw text to word ids, and raw text to vectors, against peers in one run.

Run as ``python -m benchmarks.text``; it writes results/text.{md,json}.
"""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpora import newsgroups
from benchmarks.report import rows_as_table, write_results

# model2vec is slow enough that a part of the corpus tells its speed.
_PEER_DOCS = 1500


def timed(function: Callable[[], Any], repeat: int = 3) -> tuple[float, float]:
    """Wall and CPU seconds of the best of some runs, after one that compiles and warms."""
    function()
    runs = []
    for _ in range(repeat):
        began, cpu = time.perf_counter(), time.process_time()
        function()
        runs.append((time.perf_counter() - began, time.process_time() - cpu))
    return min(runs)


def tokenising(texts: list[str]) -> list[dict[str, Any]]:
    from sklearn.feature_extraction.text import CountVectorizer
    from tokenizers import Tokenizer as Peer
    from tokenizers import models, normalizers, pre_tokenizers

    from psif.text.tokenizer import Tokenizer
    from psif.text.vocabulary import count_words

    ours = Tokenizer()
    vocabulary, _ = count_words(texts, ours)
    index = vocabulary.index
    find = re.compile(r"[^\W_]+").findall
    peer = Peer(models.WordLevel({**index, "[UNK]": len(index)}, unk_token="[UNK]"))
    peer.normalizer = normalizers.Lowercase()
    peer.pre_tokenizer = pre_tokenizers.Split(
        pattern=__import__("tokenizers").Regex(r"[\p{L}\p{M}\p{N}]+"),
        behavior="removed",
        invert=True,
    )
    sk = CountVectorizer(token_pattern=r"[^\W_]+")
    fitted = CountVectorizer(token_pattern=r"[^\W_]+", vocabulary=index)

    def plain() -> list[list[int]]:
        return [[index[w] for w in find(text.lower()) if w in index] for text in texts]

    rows = {
        "psif, new vocabulary": timed(lambda: count_words(texts, ours)),
        "psif, known vocabulary": timed(lambda: vocabulary.encode(texts, ours)),
        "psif, known vocabulary, one thread": timed(
            lambda: vocabulary.encode(texts, ours, n_jobs=1)
        ),
        "re.findall and a dict": timed(plain, 1),
        "scikit-learn CountVectorizer, new vocabulary": timed(lambda: sk.fit_transform(texts), 1),
        "scikit-learn CountVectorizer, known vocabulary": timed(lambda: fitted.transform(texts), 1),
        "HF tokenizers, known vocabulary": timed(lambda: peer.encode_batch_fast(texts), 1),
    }
    size = sum(len(text.encode()) for text in texts) / 1e6
    best, best_cpu = rows["psif, known vocabulary"]
    return [
        {
            "task": "tokenise 20 Newsgroups",
            "method": name,
            "seconds": round(seconds, 3),
            "cpu_seconds": round(cpu, 3),
            "MB/s": round(size / seconds, 1),
            "times_psif": round(seconds / best, 2),
            "times_psif_cpu": round(cpu / best_cpu, 2),
        }
        for name, (seconds, cpu) in rows.items()
    ]


def embedding(texts: list[str]) -> list[dict[str, Any]]:
    from psif import PSIF

    warnings.simplefilter("ignore")
    model = PSIF(random_state=0).fit(texts)
    ours = timed(lambda: model.transform(texts), 2)
    part = texts[:: len(texts) // _PEER_DOCS]
    peer = model2vec_model()
    theirs = timed(lambda: peer.encode(part, max_length=None, use_multiprocessing=False), 1)
    cut = timed(lambda: peer.encode(part), 1)
    rows = {
        f"psif, {model.n_features_out_} numbers a vector": (len(texts), *ours),
        "model2vec, 256 numbers, nothing cut": (len(part), *theirs),
        "model2vec, 256 numbers, its default cut at 512 tokens": (len(part), *cut),
    }
    speed, cpu_speed = len(texts) / ours[0], len(texts) / ours[1]
    return [
        {
            "task": "raw text of 20 Newsgroups to vectors",
            "method": name,
            "documents/s": round(n_docs / seconds),
            "documents/cpu_s": round(n_docs / cpu),
            "psif_is_faster": round(speed * seconds / n_docs, 1),
            "psif_is_faster_cpu": round(cpu_speed * cpu / n_docs, 1),
        }
        for name, (n_docs, seconds, cpu) in rows.items()
    ]


def model2vec_model() -> Any:
    """Make a static model of 32,000 tokens x 256, from the files of the wordllama package."""
    from importlib.util import find_spec

    from model2vec import StaticModel
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer as Peer

    spec = find_spec("wordllama")
    assert spec is not None
    folder = Path(str(spec.origin)).parent
    vectors = next(iter(load_file(folder / "weights" / "l2_supercat_256.safetensors").values()))
    tokenizer = Peer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    return StaticModel(np.asarray(vectors, dtype=np.float32), tokenizer)


def main() -> None:
    """Run and write results/text.{md,json}."""
    texts = newsgroups()
    words, vectors = tokenising(texts), embedding(texts)
    text = "\n".join(
        [
            "## Raw text to word ids, 20 Newsgroups (36 MB)\n",
            rows_as_table([{k: v for k, v in row.items() if k != "task"} for row in words]),
            "\n## Raw text to vectors with a fitted model\n",
            rows_as_table([{k: v for k, v in row.items() if k != "task"} for row in vectors]),
            "\nmodel2vec ran on every twelfth document, with the table of the wordllama package.",
        ]
    )
    packages = ["tokenizers", "model2vec", "wordllama"]
    write_results("text", "Text to ids and to vectors", text, words + vectors, packages)


if __name__ == "__main__":
    main()
