"""A model2vec table, made offline."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from benchmarks.peers.base import Peer
from benchmarks.peers.minilm import MiniLM, model_folder
from benchmarks.peers.wordllama import package_folder
from benchmarks.sizes import Size
from psif.baselines import make_method
from psif.types import FloatMatrix

FOLDER = "model2vec-table"
_DIM = 256


def make_table(folder: Path, size: Size) -> dict[str, Any]:
    """Distil MiniLM where its files are installed and there is time; else take WordLlama's."""
    if size.name == "full" and MiniLM.skip_reason() is None:
        return distil_table(folder)
    from model2vec import StaticModel
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    place = package_folder()
    (weights,) = load_file(place / "weights" / "l2_supercat_256.safetensors").values()
    tokenizer = Tokenizer.from_file(str(place / "tokenizers/l2_supercat_tokenizer_config.json"))
    table = np.asarray(weights, dtype=np.float32)
    StaticModel(table, tokenizer).save_pretrained(str(folder))
    return {"source": "WordLlama", "tokens": len(table), "dim": int(table.shape[1])}


def distil_table(folder: Path, teacher: Path | None = None) -> dict[str, Any]:
    """Send every token alone through the encoder, as model2vec's own distillation does.

    256 principal components, each token weighted by Zipf's law a / (a + p), a = 1e-4, p the
    share that its rank implies; ranks are places in the tokenizer's vocabulary.
    """
    from model2vec import StaticModel
    from tokenizers import Tokenizer

    from psif.vectors.bert import Bert
    from psif.vectors.distill import principal_components

    source = teacher or model_folder()
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    n_tokens = tokenizer.get_vocab_size()
    first, last = (tokenizer.token_to_id(token) for token in ("[CLS]", "[SEP]"))
    encoder = Bert(source)
    rows = []
    for start in range(0, n_tokens, 1024):
        ids = np.arange(start, min(start + 1024, n_tokens), dtype=np.int32)
        framed = np.stack([np.full_like(ids, first), ids, np.full_like(ids, last)], axis=1)
        rows.append(encoder.encode(framed))
    table = principal_components(np.concatenate(rows), _DIM)
    share = 1 / np.arange(2, n_tokens + 2)
    share /= share.sum()
    table *= (1e-4 / (1e-4 + share))[:, None].astype(np.float32)
    StaticModel(table, tokenizer).save_pretrained(str(folder))
    return {"source": "all-MiniLM-L6-v2", "tokens": n_tokens, "dim": _DIM}


class Model2Vec(Peer):
    """``StaticModel.encode`` with its cut at 512 tokens switched off."""

    name = "model2vec"
    title = "model2vec"
    packages: ClassVar[tuple[str, ...]] = ("model2vec", "wordllama")
    modules: ClassVar[tuple[str, ...]] = ("model2vec:StaticModel",)
    learns = False
    vectors_from = FOLDER

    def fit(self, texts: Sequence[str]) -> None:
        """Open the table."""
        self.load(self.workspace / FOLDER)

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Means of token vectors."""
        found: FloatMatrix = self._model.transform(texts)
        return found

    def save(self, folder: Path) -> None:
        """Copy the table."""
        shutil.copytree(self.workspace / FOLDER, folder, dirs_exist_ok=True)

    def load(self, folder: Path) -> None:
        """Open the table."""
        self._model = make_method("model2vec", path=folder).fit([])
