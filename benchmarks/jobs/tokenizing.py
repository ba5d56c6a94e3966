"""Raw text to word ids, beside other tokenizers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.jobs import Context
from benchmarks.resources import cost

Ways = Mapping[str, Callable[[], Any]]
_NEW, _KNOWN = "new vocabulary", "known vocabulary"
_WORD = r"[^\W_]+"


def tokenize(context: Context, method: str) -> dict[str, Any]:
    """Seconds to turn all texts of the corpus into ids, by what is known before."""
    texts = context.corpus().texts
    ways = METHODS[method](texts)
    repeats = 3 if method == "psif" else 1  # others take seconds
    measured = {}
    for name, way in ways.items():
        way()  # compiles and warms up
        runs = [cost(way) for _ in range(repeats)]
        measured[name] = min(runs, key=lambda run: run["seconds"])
    mb = sum(len(text.encode()) for text in texts) / 1e6
    return {"documents": len(texts), "mb": mb, "ways": measured}


def _words(texts: list[str]) -> dict[str, int]:
    from psif.text.tokenizer import Tokenizer
    from psif.text.vocabulary import count_words

    index: dict[str, int] = count_words(texts, Tokenizer())[0].index
    return index


def _psif(texts: list[str]) -> Ways:
    from psif.text.tokenizer import Tokenizer
    from psif.text.vocabulary import count_words

    ours = Tokenizer()
    vocabulary, _ = count_words(texts, ours)
    return {
        _NEW: lambda: count_words(texts, ours),
        _KNOWN: lambda: vocabulary.encode(texts, ours),
        f"{_KNOWN}, one thread": lambda: vocabulary.encode(texts, ours, n_jobs=1),
    }


def _regular_expression(texts: list[str]) -> Ways:
    index, find = _words(texts), re.compile(_WORD).findall
    return {
        _KNOWN: lambda: [[index[w] for w in find(text.lower()) if w in index] for text in texts]
    }


def _scikit_learn(texts: list[str]) -> Ways:
    from sklearn.feature_extraction.text import CountVectorizer

    new = CountVectorizer(token_pattern=_WORD)
    known = CountVectorizer(token_pattern=_WORD, vocabulary=_words(texts))
    return {_NEW: lambda: new.fit_transform(texts), _KNOWN: lambda: known.transform(texts)}


def _tokenizers(texts: list[str]) -> Ways:
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    index = _words(texts)
    peer = Tokenizer(models.WordLevel({**index, "[UNK]": len(index)}, unk_token="[UNK]"))
    peer.normalizer = normalizers.Lowercase()
    peer.pre_tokenizer = pre_tokenizers.Split(
        pattern=Regex(r"[\p{L}\p{M}\p{N}]+"), behavior="removed", invert=True
    )
    return {_KNOWN: lambda: peer.encode_batch_fast(texts)}


METHODS: dict[str, Callable[[list[str]], Ways]] = {
    "psif": _psif,
    "re": _regular_expression,
    "scikit-learn": _scikit_learn,
    "tokenizers": _tokenizers,
}
TITLES = {
    "psif": "psif",
    "re": "`re.findall` and a dictionary",
    "scikit-learn": "scikit-learn `CountVectorizer`",
    "tokenizers": "Hugging Face `tokenizers`",
}
# Packages to be installed; regular expressions are part of Python.
PACKAGES: dict[str, tuple[str, ...]] = {
    "psif": ("psif",),
    "re": (),
    "scikit-learn": ("scikit-learn",),
    "tokenizers": ("tokenizers",),
}
