"""A BERT encoder from a folder of weights, run by ONNX Runtime."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from psif.errors import FormatError, MissingExtraError
from psif.types import FloatMatrix, IdVector
from psif.vectors.bert_graph import BertShape, build_graph, round_weights
from psif.vectors.readers.safetensors_map import map_tensors

_FAMILY = "bert"


class Bert:
    """Token ids to vectors.

    Parameters
    ----------
    folder : Path
        A sentence-transformers (or plain transformers) folder.
    bits : {32, 8}
        Of the weights. With 8 an encoder takes about half the time, and its vectors are rounded.
    """

    def __init__(self, folder: Path, bits: int = 32) -> None:
        shape, tensors = _read(folder)
        words = "embeddings.word_embeddings.weight"
        if words not in tensors:
            raise FormatError(f"{folder} has no BERT embeddings; it holds {list(tensors)[:3]} ...")
        self.pooling = shape.pooling
        self.dim = int(tensors[words].shape[1])
        self._session = _session(tensors, shape, bits)

    def encode(self, tokens: IdVector) -> FloatMatrix:
        """Return the vectors of texts that all have the same number of tokens.

        Parameters
        ----------
        tokens : ndarray of int, shape (n_texts, length)
        """
        found: FloatMatrix = self._session.run(None, {"ids": tokens.astype(np.int64)})[0]
        return found


def _session(tensors: dict[str, np.ndarray], shape: BertShape, bits: int) -> Any:
    try:
        import onnx  # noqa: F401
        import onnxruntime
    except ImportError as error:
        missing = error.name or "onnxruntime"
        raise MissingExtraError(missing, "distill", "distilling a sentence encoder") from error
    model = build_graph(tensors, shape)
    options = onnxruntime.SessionOptions()
    # Batches go to our own threads: the vectors are then the same for any number of them.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        round_weights(model) if bits == 8 else model.SerializeToString(),
        options,
        providers=["CPUExecutionProvider"],
    )


def _read(folder: Path) -> tuple[BertShape, dict[str, np.ndarray]]:
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
    shape = BertShape(
        config["num_hidden_layers"], config["num_attention_heads"],
        config.get("layer_norm_eps", 1e-12), _read_pooling(folder),
    )  # fmt: skip
    tensors = map_tensors(weights).items()
    return shape, {name.removeprefix("bert."): array for name, array in tensors}


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


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(f"{path} cannot be read as JSON: {error}") from error
    return content
