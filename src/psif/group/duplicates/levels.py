r"""Three levels of likeness, and what each of them means exactly.

identical
    The same words in the same order. Case, punctuation, blanks and Unicode compatibility forms do
    not count. Texts without any word are identical if their characters are, blanks aside.
near
    The same text with words inserted, deleted, replaced, moved or quoted. With the words of both
    texts as multisets A and B,

    .. math:: \mathrm{similarity} = 1 - \frac{\max(|A|, |B|) - |A \cap B|}{2 \max(|A|, |B|)}

    so a threshold t lets the share c = 2 (1 - t) of the longer text's words change, rounded to
    whole words: 0.9 lets a fifth change. Texts of fewer than five words must have the same words.
    Forms that were filled in with different names share nearly all words but not the rare ones.
    So at least max(0.2, 1 - 3c) of the weight of the distinct words must be shared too, by the SIF
    weight with a = 1e-4, but at least 1/16 per word.
paraphrase
    Other words for the same: the cosine of the P-SIF vectors is at least the threshold.
"""

from __future__ import annotations

from psif.errors import InputError

IDENTICAL, NEAR, PARAPHRASE = "identical", "near", "paraphrase"
LEVELS = (IDENTICAL, NEAR, PARAPHRASE)

# Texts with fewer words must have the same words to be near-identical.
SHORT = 5
# The constant of the SIF weights that tell rare words from others, and the least weight: without
# it, two copies among thousands would differ by one rare word more than they share.
RARE, LEAST = 1e-4, 1 / 16


def check_level(level: str) -> int:
    """Return the position of a level."""
    if level not in LEVELS:
        raise InputError(f"level must be one of {', '.join(LEVELS)}; got {level!r}.")
    return LEVELS.index(level)


def check_threshold(threshold: float) -> float:
    """Return a threshold that makes sense."""
    number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    if not number or not 0.5 <= threshold <= 1:
        raise InputError(
            f"threshold must be a number from 0.5 to 1; got {threshold!r}. "
            "1 is the same words, 0.9 lets a fifth of them change."
        )
    return float(threshold)


def allowed_change(threshold: float) -> float:
    """Share of the longer text's words that may change."""
    return 2 * (1 - threshold)


def least_weight(threshold: float) -> float:
    """Share of the weight of distinct words that must be shared."""
    return max(0.2, 1 - 3 * allowed_change(threshold))
