"""Sentences that similarity tasks learn from without seeing a test sentence."""

from __future__ import annotations

from functools import lru_cache

from psif.evaluation.data.folders import read_rows


@lru_cache(maxsize=1)
def background_sentences(sample: int | None = None) -> tuple[str, ...]:
    """Training sentences of SICK and of the Stanford sentiment set, and development tweets.

    Under the protocol "inductive" every similarity task learns its topics, its common component,
    and its word vectors unless they are given, from these sentences. None of them is a test
    sentence of STS 2012 to 2016; training pairs of the STS Benchmark are, so it is left out.
    """
    sentences: list[str] = []
    for name in ("sick/train", "pit2015/dev"):
        for row in read_rows(name):
            sentences += [row["text_a"], row["text_b"]]
    sentences += [row["text"] for row in read_rows("sst2/train_sentences")]
    # The first time each, in order.
    unique = tuple(dict.fromkeys(sentences))
    return unique if sample is None else unique[:: max(1, len(unique) // sample)]
