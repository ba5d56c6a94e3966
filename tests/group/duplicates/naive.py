"""The definitions of psif.group.duplicates.levels, pair by pair and slowly."""

import itertools
import unicodedata
from collections import Counter

from psif.text.tokenizer import Tokenizer

tokenize = Tokenizer("unicode")


def words_of(text):
    return tokenize(unicodedata.normalize("NFKC", text))


def identical(a, b):
    if words_of(a) or words_of(b):
        return words_of(a) == words_of(b)
    return (
        "".join(unicodedata.normalize("NFKC", a).split())
        == "".join(unicodedata.normalize("NFKC", b).split())
    )  # fmt: skip


def similarity(a, b):
    a, b = Counter(words_of(a)), Counter(words_of(b))
    longer = max(a.total(), b.total())
    return 1 - (longer - (a & b).total()) / (2 * longer)


def near(a, b, threshold, texts):
    counts = Counter(word for text in texts for word in words_of(text))
    total = counts.total()
    one, two = Counter(words_of(a)), Counter(words_of(b))
    if not one or not two:
        return False
    longer = max(one.total(), two.total())
    change = 2 * (1 - threshold)
    allowed = int(change * longer + 0.5) if longer >= 5 else 0

    def weigh(words):
        return sum(max(1 / 16, 1e-4 / (1e-4 + counts[word] / total)) for word in words)

    heavier = max(weigh(set(one)), weigh(set(two)))
    least = max(0.2, 1 - 3 * change)
    return (
        longer - (one & two).total() <= allowed
        and weigh(set(one) & set(two)) >= least * heavier * (1 - 1e-6)
    )  # fmt: skip


def groups(texts, alike):
    """Connected components of two or more, by trying all pairs."""
    group = list(range(len(texts)))
    for i, j in itertools.combinations(range(len(texts)), 2):
        if alike(texts[i], texts[j]):
            old, new = group[j], group[i]
            group = [new if g == old else g for g in group]
    found = {}
    for i, g in enumerate(group):
        found.setdefault(g, []).append(i)
    return sorted(members for members in found.values() if len(members) > 1)
