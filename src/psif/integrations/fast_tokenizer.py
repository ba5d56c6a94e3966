"""A tokenizer of psif as the file ``tokenizer.json``, which other languages' runtimes read too.

The file is that of Hugging Face's package tokenizers: the text is brought to its normal form, cut
by a regular expression, and every piece is looked up in a list of words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from psif.errors import InputError
from psif.text.patterns import preset_pattern
from psif.text.tokenizer import PRESETS, Tokenizer

UNKNOWN = "[UNK]"


def tokenizer_file(tokenizer: Tokenizer, words: Sequence[str]) -> dict[str, Any]:
    """Return the content of the file; the first id is that of unknown words.

    Words that a tokenizer leaves out (stop words, short words) are unknown words here. A phrase
    is cut into its words, and a Greek Σ at the end of a word becomes σ.
    """
    if tokenizer.pattern not in PRESETS:
        raise InputError(
            "only the presets of the tokenizer can be converted "
            f"({', '.join(PRESETS)}); this model has {tokenizer.pattern!r}."
        )
    if UNKNOWN in words:
        raise InputError(f"the model has a word {UNKNOWN}, which stands for unknown words here.")
    preset = str(tokenizer.pattern)
    cuts = [_split(_portable(preset_pattern(preset)), invert=True)]
    if preset == "words":
        # The rule for words takes the "'s" of "John's" with it; no word ends so.
        cuts.append(_split(r"'[sS]\z", invert=False))
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_special(UNKNOWN)],
        "normalizer": {"type": "Sequence", "normalizers": _normalizers(tokenizer)},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": cuts},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {word: i for i, word in enumerate([UNKNOWN, *words])},
            "unk_token": UNKNOWN,
        },
    }


def _normalizers(tokenizer: Tokenizer) -> list[dict[str, Any]]:
    """Return the steps of :meth:`psif.Tokenizer.prepare`."""
    steps: list[dict[str, Any]] = []
    if tokenizer.normalises:
        steps += [
            {"type": "Replace", "pattern": {"String": "\u00ad"}, "content": ""},
            {"type": "Replace", "pattern": {"String": "\u2019"}, "content": "'"},
            {"type": "NFC"},
        ]
    if tokenizer.lowercase:
        steps.append({"type": "Lowercase"})
    return steps


def _split(pattern: str, *, invert: bool) -> dict[str, Any]:
    return {
        "type": "Split",
        "pattern": {"Regex": pattern},
        "behavior": "Removed",
        "invert": invert,
    }


def _portable(pattern: str) -> str:
    """Write code points as Oniguruma does, the library that cuts texts for the package."""
    return re.sub(r"\\U([0-9a-f]{8})", lambda match: rf"\x{{{int(match[1], 16):x}}}", pattern)


def _special(token: str) -> dict[str, Any]:
    return {
        "id": 0,
        "content": token,
        "single_word": False,
        "lstrip": False,
        "rstrip": False,
        "normalized": False,
        "special": True,
    }
