"""A BERT encoder in plain numpy: enough to turn words into vectors, without torch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from psif.errors import FormatError
from psif.types import FloatMatrix, IdVector
from psif.vectors.readers.safetensors_map import map_tensors

_FAMILY = "bert"


@dataclass(frozen=True)
class Bert:
    """The weights of a BERT encoder and how its tokens are pooled to one vector.

    References
    ----------
    .. [1] Devlin et al. (2019), BERT: pre-training of deep bidirectional transformers.
    .. [2] Vaswani et al. (2017), Attention is all you need, sections 3.1 to 3.3.
    """

    tensors: dict[str, np.ndarray]
    n_layers: int
    n_heads: int
    epsilon: float
    pooling: str  # "mean" or "cls"

    @classmethod
    def load(cls, folder: Path) -> Bert:
        """Read a sentence-transformers (or plain transformers) folder; weights are mapped."""
        config = _read_json(folder / "config.json")
        if config.get("model_type") != _FAMILY or config.get("hidden_act", "gelu") != "gelu":
            raise FormatError(
                f"{folder} holds a model of type {config.get('model_type')!r} with activation "
                f"{config.get('hidden_act')!r}; only {_FAMILY!r} with 'gelu' can be distilled "
                "(for example all-MiniLM, BGE, E5 and GTE models)."
            )
        weights = folder / "model.safetensors"
        if not weights.is_file():
            raise FormatError(f"{folder} has no model.safetensors; save the model with it.")
        tensors = {
            name.removeprefix("bert."): array for name, array in map_tensors(weights).items()
        }
        model = cls(
            tensors, config["num_hidden_layers"], config["num_attention_heads"],
            config.get("layer_norm_eps", 1e-12), _read_pooling(folder),
        )  # fmt: skip
        if "embeddings.word_embeddings.weight" not in tensors:
            raise FormatError(f"{weights} has no BERT embeddings; it holds {list(tensors)[:3]} ...")
        return model

    @property
    def dim(self) -> int:
        """Numbers in one vector."""
        return int(self._tensor("embeddings.word_embeddings.weight").shape[1])

    def encode(self, tokens: IdVector) -> FloatMatrix:
        """Vectors of texts that all have the same number of tokens: no padding, no mask.

        Parameters
        ----------
        tokens : ndarray of int, shape (n_texts, length)
        """
        n_texts, length = tokens.shape
        x = (
            self._tensor("embeddings.word_embeddings.weight")[tokens]
            + self._tensor("embeddings.position_embeddings.weight")[:length]
            + self._tensor("embeddings.token_type_embeddings.weight")[0]
        ).astype(np.float32)
        x = self._normalise(x.reshape(n_texts * length, -1), "embeddings.LayerNorm")
        for layer in range(self.n_layers):
            x = self._layer(x, n_texts, f"encoder.layer.{layer}")
        by_text = x.reshape(n_texts, length, -1)
        pooled: FloatMatrix = by_text[:, 0] if self.pooling == "cls" else by_text.mean(axis=1)
        return pooled

    def _layer(self, x: FloatMatrix, n_texts: int, name: str) -> FloatMatrix:
        attended = self._attend(x, n_texts, f"{name}.attention.self")
        mixed = self._linear(attended, f"{name}.attention.output.dense")
        x = self._normalise(x + mixed, f"{name}.attention.output.LayerNorm")
        inner = _gelu(self._linear(x, f"{name}.intermediate.dense"))
        outer = self._linear(inner, f"{name}.output.dense")
        return self._normalise(x + outer, f"{name}.output.LayerNorm")

    def _attend(self, x: FloatMatrix, n_texts: int, name: str) -> FloatMatrix:
        r"""Return softmax(Q Kᵀ / √d) V for each head."""

        def heads(part: str) -> np.ndarray:
            projected = self._linear(x, f"{name}.{part}")
            return projected.reshape(n_texts, -1, self.n_heads, width).transpose(0, 2, 1, 3)

        width = x.shape[1] // self.n_heads
        query, key, value = heads("query"), heads("key"), heads("value")
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        out: FloatMatrix = (scores @ value).transpose(0, 2, 1, 3).reshape(x.shape)
        return out

    def _linear(self, x: FloatMatrix, name: str) -> FloatMatrix:
        out: FloatMatrix = x @ self._tensor(f"{name}.weight").T + self._tensor(f"{name}.bias")
        return out

    def _normalise(self, x: FloatMatrix, name: str) -> FloatMatrix:
        centred = x - x.mean(axis=1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + np.float32(self.epsilon))
        scaled = centred / spread * self._tensor(f"{name}.weight")
        out: FloatMatrix = (scaled + self._tensor(f"{name}.bias")).astype(np.float32)
        return out

    def _tensor(self, name: str) -> np.ndarray:
        if name not in self.tensors:
            raise FormatError(f"the model has no tensor {name!r}; it is no complete BERT encoder.")
        return self.tensors[name]


def _gelu(x: FloatMatrix) -> FloatMatrix:
    r"""Return :math:`x\,\Phi(x)` with the exact normal distribution, as BERT has it."""
    from scipy.special import erf

    out: FloatMatrix = x * np.float32(0.5) * (1 + erf(x * np.float32(np.sqrt(0.5))))
    return out


def _read_pooling(folder: Path) -> str:
    path = folder / "1_Pooling" / "config.json"
    if not path.is_file():
        return "mean"
    settings = _read_json(path)
    if settings.get("pooling_mode_cls_token"):
        return "cls"
    if settings.get("pooling_mode_mean_tokens", True):
        return "mean"
    raise FormatError(f"{path}: only mean and cls pooling can be distilled.")


def _read_json(path: Path) -> dict:  # type: ignore[type-arg]
    try:
        content: dict = json.loads(path.read_text(encoding="utf-8"))  # type: ignore[type-arg]
    except (OSError, ValueError) as error:
        raise FormatError(f"{path} cannot be read as JSON: {error}") from error
    return content
