"""Word vectors that several methods learn from the same texts, learned once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from psif.runtime.seeds import draw_seed
from psif.vectors.table import WordVectors
from psif.vectors.trainers import TRAINERS

# Tables kept, the last used: those of one task, both protocols and all its splits.
_MOST_TABLES = 24


class TrainedVectors:
    """Tables of word vectors by texts and settings.

    A method with ``vectors="sgns"`` trains them when it is fitted. Given them as a table it
    learns the same: the words are those of the table, all counts come from its own texts.
    """

    def __init__(self) -> None:
        self._tables: dict[tuple[Any, ...], WordVectors] = {}

    def share(self, model: Any, texts: Sequence[str]) -> None:
        """Give a model that would train word vectors on texts the table that these make."""
        method = getattr(model, "vectors", None)
        if not isinstance(method, str) or method not in TRAINERS:
            return
        model.set_params(vectors=self._table(method, model, texts))

    def _table(self, method: str, model: Any, texts: Sequence[str]) -> WordVectors:
        settings = {
            "dim": model.dim,
            "min_count": model.min_count,
            "phrases": getattr(model, "phrases", 0),
            "tokenizer": model.tokenizer,
            "random_state": draw_seed(model.random_state),
            **(model.train_options or {}),
        }
        settings.pop("vocabulary", None)  # of given tables only
        key = (method, _digest(texts), *((name, repr(settings[name])) for name in sorted(settings)))
        table = self._tables.pop(key, None)
        if table is None:
            table = WordVectors.train(texts, method, n_jobs=model.n_jobs, **settings)
        self._tables[key] = table
        if len(self._tables) > _MOST_TABLES:
            # The one that was used longest ago.
            del self._tables[next(iter(self._tables))]
        return table


def _digest(texts: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()
