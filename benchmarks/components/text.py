"""Raw text to word ids, against peers in one run; ``psif bench`` goes on to vectors.

Run as ``python -m benchmarks.text``; it writes results/text.{md,json}.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from benchmarks.components.report import rows_as_table, write_results
from benchmarks.corpora import newsgroups


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


def main() -> None:
    """Run and write results/text.{md,json}."""
    words = tokenising(newsgroups())
    text = "## Raw text to word ids, 20 Newsgroups (36 MB)\n\n"
    text += rows_as_table([{k: v for k, v in row.items() if k != "task"} for row in words])
    write_results("text", "Text to word ids", text, words, ["tokenizers"])


if __name__ == "__main__":
    main()
