"""A BERT encoder as an ONNX graph: token ids in, one vector per text out.

References
----------
.. [1] Devlin et al. (2019), BERT: pre-training of deep bidirectional transformers.
.. [2] Vaswani et al. (2017), Attention is all you need, sections 3.1 to 3.3.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from psif.errors import FormatError

# Kernels of ONNX Runtime that do several steps in one.
_FUSED = "com.microsoft"
_OPSET, _IR = 18, 9


class BertShape(NamedTuple):
    """What the tensors do not say about an encoder; ``pooling`` is "mean" or "cls"."""

    n_layers: int
    n_heads: int
    epsilon: float
    pooling: str


def build_graph(tensors: Mapping[str, np.ndarray], shape: BertShape) -> Any:
    """Return the encoder as an ONNX model.

    All texts of a batch have the same number of tokens, so there is no padding and no mask.
    """
    graph = _Graph(tensors)
    x = _embed(graph, shape)
    for layer in range(shape.n_layers):
        x = _layer(graph, x, f"encoder.layer.{layer}", shape)
    if shape.pooling == "cls":
        graph.add("Gather", [x, graph.constant("first", np.array(0))], "out", axis=1)
    else:
        graph.add("ReduceMean", [x, graph.constant("axis", np.array([1]))], "out", keepdims=0)
    return graph.model()


def round_weights(model: Any) -> bytes:
    """Return a model with the weights of its products in 8 bits, one scale per column."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory() as scratch:
        exact, small = Path(scratch, "exact.onnx"), Path(scratch, "small.onnx")
        onnx.save(model, exact)
        quantize_dynamic(
            exact, small, op_types_to_quantize=["MatMul", "Attention"],
            weight_type=QuantType.QInt8, per_channel=True,
            extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )  # fmt: skip
        return small.read_bytes()


class _Graph:
    """Nodes and constants, as they are added."""

    def __init__(self, tensors: Mapping[str, np.ndarray]) -> None:
        self._tensors = tensors
        self._constants: list[Any] = []
        self._nodes: list[Any] = []

    def tensor(self, name: str) -> np.ndarray:
        """Return a tensor of the encoder."""
        if name not in self._tensors:
            raise FormatError(f"the model has no tensor {name!r}; it is no complete BERT encoder.")
        return np.asarray(self._tensors[name], dtype=np.float32)

    def constant(self, name: str, array: np.ndarray) -> str:
        from onnx import numpy_helper

        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self.tensor(name))

    def add(
        self, kind: str, inputs: list[str], output: str, domain: str = "", **options: Any
    ) -> str:
        """Add a step and return the name of what it computes."""
        from onnx import helper

        self._nodes.append(
            helper.make_node(kind, inputs, [output], name=output, domain=domain, **options)
        )
        return output

    def product(self, x: str, name: str) -> str:
        """Multiply by a weight; its bias belongs to the next step."""
        weight = self.constant(f"{name}.T", self.tensor(f"{name}.weight").T)
        return self.add("MatMul", [x, weight], f"{name}.out")

    def model(self) -> Any:
        from onnx import TensorProto, helper

        ids = helper.make_tensor_value_info("ids", TensorProto.INT64, ["n", "length"])
        width = self.tensor("embeddings.word_embeddings.weight").shape[1]
        out = helper.make_tensor_value_info("out", TensorProto.FLOAT, ["n", width])
        model = helper.make_model(
            helper.make_graph(self._nodes, "bert", [ids], [out], self._constants),
            opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)],
        )
        model.ir_version = _IR
        return model


def _embed(graph: _Graph, shape: BertShape) -> str:
    """Add the vectors of tokens, places and the first text type, and normalise them."""
    start = "embeddings"
    places = graph.tensor(f"{start}.position_embeddings.weight")
    places = places + graph.tensor(f"{start}.token_type_embeddings.weight")[0]
    zero, one, two = (graph.constant(f"number {i}", np.array([i])) for i in range(3))
    length = graph.add("Slice", [graph.add("Shape", ["ids"], "shape"), one, two], "length")
    used = graph.add("Slice", [graph.constant("places", places), zero, length], "used places")
    words = graph.add("Gather", [graph.weight(f"{start}.word_embeddings.weight"), "ids"], "words")
    norm = [graph.weight(f"{start}.LayerNorm.{part}") for part in ("weight", "bias")]
    return graph.add(
        "LayerNormalization", [graph.add("Add", [words, used], "sum"), *norm], "start",
        axis=-1, epsilon=shape.epsilon,
    )  # fmt: skip


def _layer(graph: _Graph, x: str, name: str, shape: BertShape) -> str:
    """Add softmax(Q Kᵀ / √d) V of each head, then two linear maps with a gelu between."""
    parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
    joined = np.concatenate([graph.tensor(f"{part}.weight").T for part in parts], axis=1)
    biases = np.concatenate([graph.tensor(f"{part}.bias") for part in parts])
    attended = graph.add(
        "Attention",
        [x, graph.constant(f"{name}.qkv", joined), graph.constant(f"{name}.qkv.bias", biases)],
        f"{name}.attended", _FUSED, num_heads=shape.n_heads,
    )  # fmt: skip
    x = _add_and_norm(graph, attended, x, f"{name}.attention.output", shape)
    inner = graph.product(x, f"{name}.intermediate.dense")
    bias = graph.weight(f"{name}.intermediate.dense.bias")
    inner = graph.add("BiasGelu", [inner, bias], f"{name}.gelu", _FUSED)
    return _add_and_norm(graph, inner, x, f"{name}.output", shape)


def _add_and_norm(graph: _Graph, x: str, rest: str, name: str, shape: BertShape) -> str:
    inputs = [
        graph.product(x, f"{name}.dense"), rest,
        graph.weight(f"{name}.LayerNorm.weight"), graph.weight(f"{name}.LayerNorm.bias"),
        graph.weight(f"{name}.dense.bias"),
    ]  # fmt: skip
    return graph.add(
        "SkipLayerNormalization", inputs, f"{name}.LayerNorm.out", _FUSED, epsilon=shape.epsilon
    )
