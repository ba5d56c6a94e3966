"""A random sample of a stream of texts, of bounded size, in one pass."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def sample_texts(texts: Iterable[str], max_characters: int, seed: int = 0) -> list[str]:
    """All texts if they are short enough together, else a uniform sample of them, in order.

    Every text draws a number between 0 and 1 and is kept while that is below a threshold; the
    threshold is halved whenever the kept ones grow too long. So the sample does not depend on
    the order, the length of the stream need not be known, and half to all of the room is used.

    Parameters
    ----------
    texts : iterable of str
        Read once.
    max_characters : int
        Most characters to keep, but for a single longer text.
    seed : int, default=0
    """
    rng = np.random.default_rng(seed)
    kept: list[tuple[float, str]] = []
    threshold, size = 1.0, 0
    for text in texts:
        draw = float(rng.random())
        if draw >= threshold:
            continue
        kept.append((draw, text))
        size += len(text)
        while size > max_characters and len(kept) > 1:
            threshold /= 2
            kept = [pair for pair in kept if pair[0] < threshold]
            size = sum(len(pair[1]) for pair in kept)
    return [text for _, text in kept]
