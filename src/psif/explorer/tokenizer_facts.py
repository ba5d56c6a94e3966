"""What the page needs to find the same words in a text as the model's tokenizer."""

from __future__ import annotations

import re
from typing import Any

from psif.text.patterns import RUN, preset_pattern
from psif.text.tokenizer import PRESETS, Tokenizer


def tokenizer_facts(tokenizer: Tokenizer) -> dict[str, Any]:
    """Return the pattern, the stop words and the phrases, ready for JSON."""
    # A custom expression is sent as it is; a Python function works on the server only.
    pattern = tokenizer.pattern if isinstance(tokenizer.pattern, str) else "words"
    return {
        "pattern": browser_pattern(pattern) if pattern in PRESETS else pattern,
        "lowercase": tokenizer.lowercase,
        "stop_words": sorted(tokenizer.stop_words),
        "min_length": tokenizer.min_length,
        "normalises": tokenizer.normalises,
        # Whether a word stands in the text as it is, not joined from several.
        "literal": pattern in PRESETS and not tokenizer.phrases,
        "phrases": [[[*pair, name] for pair, name in pairs.items()] for pairs in tokenizer.phrases],
    }


def browser_pattern(preset: str) -> str:
    r"""Return the expression of a preset in JavaScript's syntax.

    Character ranges are written out, because browsers have other versions of Unicode:
    ``\U00000041`` becomes ``\u{41}``. JavaScript has no repeats that give nothing back, so that the
    group around a run repeats single characters, which can be divided in one way only.
    """
    single = preset_pattern(preset).replace(f"]{RUN}", "]")
    escaped = re.sub(r"\\U0*([0-9a-f]+)", r"\\u{\1}", single)
    return re.sub(r"[^\x00-\x7f]", lambda found: f"\\u{{{ord(found[0]):x}}}", escaped)
