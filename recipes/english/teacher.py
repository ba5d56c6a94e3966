"""A fast teacher: the encoder as an ONNX graph with 8-bit weights.

On one core (AMD EPYC, AVX2) it encodes 211 sentences of 23 tokens per CPU second where the numpy
encoder of the package does 76 and the same graph in 32 bits 127; on an Intel Xeon with AVX-512
VNNI it encodes 469 of the corpus where the numpy encoder does 145. The cosine of its vectors with
those of the exact encoder is 0.992 on average, 0.985 at the first percentile. Its vectors go to
the cache that ``psif vectors distill --cache`` reads.

Needs ``pip install onnx onnxruntime tokenizers``.
"""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file

MOST_TOKENS = 34
# What its vectors are kept under in a cache.
IDENTITY = f"model int8 {MOST_TOKENS}"
_BATCH = 32
_CONTRIB = "com.microsoft"


class FastTeacher:
    """Sentences to vectors."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MOST_TOKENS)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            quantized(folder), options, providers=["CPUExecutionProvider"]
        )

    def encode(self, sentences: Sequence[str]) -> np.ndarray:
        """Return unit vectors."""
        tokens = [encoded.ids for encoded in self._tokenizer.encode_batch(list(sentences))]
        by_length: dict[int, list[int]] = defaultdict(list)
        for row, ids in enumerate(tokens):
            by_length[len(ids)].append(row)
        parts = [
            rows[start : start + _BATCH]
            for _, rows in sorted(by_length.items())
            for start in range(0, len(rows), _BATCH)
        ]
        vectors: dict[int, np.ndarray] = {}
        for rows in parts:
            ids = np.array([tokens[row] for row in rows], dtype=np.int64)
            vectors.update(zip(rows, self._session.run(None, {"ids": ids})[0], strict=True))
        matrix = np.array([vectors[row] for row in range(len(sentences))], dtype=np.float32)
        unit: np.ndarray = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
        return unit


def quantized(folder: Path) -> bytes:
    """Return the graph with weights of 8 bits, one scale per column."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory() as scratch:
        exact, small = Path(scratch, "exact.onnx"), Path(scratch, "small.onnx")
        onnx.save(graph(folder), exact)
        quantize_dynamic(
            exact,
            small,
            op_types_to_quantize=["MatMul", "Attention"],
            weight_type=QuantType.QInt8,
            per_channel=True,
            extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )
        return small.read_bytes()


def graph(folder: Path) -> Any:
    """Write the BERT encoder and the mean over its tokens as an ONNX model; ids are its input."""
    from onnx import TensorProto, helper, numpy_helper

    config = json.loads((folder / "config.json").read_text())
    weights = {
        name.removeprefix("bert."): array
        for name, array in load_file(folder / "model.safetensors").items()
    }
    constants: list[Any] = []
    nodes: list[Any] = []

    def constant(name: str, array: np.ndarray) -> str:
        constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def apply(kind: str, inputs: list[str], out: str, domain: str = "", **options: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [out], name=out, domain=domain, **options))
        return out

    def vector(name: str) -> str:
        return constant(name, weights[name])

    def product(x: str, name: str) -> str:
        return apply(
            "MatMul", [x, constant(f"{name}.T", weights[f"{name}.weight"].T)], f"{name}.out"
        )

    def add_and_norm(x: str, rest: str, name: str) -> str:
        norm = f"{name}.LayerNorm"
        inputs = [x, rest, vector(f"{norm}.weight"), vector(f"{norm}.bias")]
        inputs.append(vector(f"{name}.dense.bias"))
        return apply("SkipLayerNormalization", inputs, f"{norm}.out", _CONTRIB, epsilon=epsilon)

    epsilon, start = config["layer_norm_eps"], "embeddings"
    words = vector(f"{start}.word_embeddings.weight")
    places = weights[f"{start}.position_embeddings.weight"]
    places = places + weights[f"{start}.token_type_embeddings.weight"][0]
    one, two = (constant(f"number{i}", np.array([i], dtype=np.int64)) for i in (1, 2))
    zero = constant("number0", np.array([0], dtype=np.int64))
    length = apply("Slice", [apply("Shape", ["ids"], "shape"), one, two], "length")
    x = apply("Add", [
        apply("Gather", [words, "ids"], "words"),
        apply("Slice", [constant("places", places), zero, length], "used places"),
    ], "sum")  # fmt: skip
    norm = f"{start}.LayerNorm"
    x = apply(
        "LayerNormalization", [x, vector(f"{norm}.weight"), vector(f"{norm}.bias")], "start",
        axis=-1, epsilon=epsilon,
    )  # fmt: skip
    for layer in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{layer}"
        parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        joined = np.concatenate([weights[f"{part}.weight"].T for part in parts], axis=1)
        biases = np.concatenate([weights[f"{part}.bias"] for part in parts])
        attended = apply(
            "Attention",
            [x, constant(f"{name}.qkv", joined), constant(f"{name}.qkv.bias", biases)],
            f"{name}.attended", _CONTRIB, num_heads=config["num_attention_heads"],
        )  # fmt: skip
        attended = product(attended, f"{name}.attention.output.dense")
        x = add_and_norm(attended, x, f"{name}.attention.output")
        inner = product(x, f"{name}.intermediate.dense")
        bias = vector(f"{name}.intermediate.dense.bias")
        inner = apply("BiasGelu", [inner, bias], f"{name}.gelu", _CONTRIB)
        x = add_and_norm(product(inner, f"{name}.output.dense"), x, f"{name}.output")
    apply("ReduceMean", [x, constant("axis", np.array([1], dtype=np.int64))], "out", keepdims=0)
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, ["n", "length"])
    out = helper.make_tensor_value_info("out", TensorProto.FLOAT, ["n", config["hidden_size"]])
    model = helper.make_model(
        helper.make_graph(nodes, "bert", [ids], [out], constants),
        opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid(_CONTRIB, 1)],
    )
    model.ir_version = 9
    return model
