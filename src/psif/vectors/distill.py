"""Turn a sentence encoder into a table of word vectors: encode each word alone, then PCA."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from psif.errors import FormatError, InputError, MissingExtraError
from psif.runtime.blas import inner_product, single_threaded_blas, tall_product
from psif.runtime.threads import map_items
from psif.types import FloatMatrix
from psif.vectors.bert import Bert
from psif.vectors.progress import Progress, Steps
from psif.vectors.table import WordVectors

# Words of equal length that are encoded at a time.
_BATCH = 256


def distill(
    folder: str | Path,
    words: Iterable[str],
    *,
    dim: int | None = 300,
    progress: Progress | None = None,
) -> WordVectors:
    """Encode each word alone with a sentence-transformer on disk and keep ``dim`` components.

    Nothing is downloaded and torch is not needed; the package ``tokenizers`` is.

    Parameters
    ----------
    folder : str or Path
        A sentence-transformers folder of a BERT model: ``config.json``, ``model.safetensors``,
        ``tokenizer.json`` and, if it is there, ``1_Pooling/config.json``.
    words : iterable of str
        Each is kept once, in this order; the most frequent first is the custom.
    dim : int or None
        Principal components to keep; ``None`` keeps the encoder's own numbers, uncentred.
    progress : callable or None
        Called as ``progress(done, total)``, in words.
    """
    place = Path(folder).expanduser()
    kept = [word for word in dict.fromkeys(words) if word]
    if not kept:
        raise InputError("no words to distill; give a vocabulary, for example of your corpus.")
    if dim is not None and dim < 1:
        raise InputError(f"dim must be 1 or more, or None; got {dim}.")
    model = Bert.load(place)
    tokens = _tokenize(place, kept)
    steps = Steps(progress, len(kept))
    matrix = np.empty((len(kept), model.dim), dtype=np.float32)

    def encode(rows: list[int]) -> None:
        matrix[rows] = model.encode(np.array([tokens[row] for row in rows], dtype=np.int32))
        steps.advance(len(rows))

    # Batches go to our own threads: those of BLAS would change the last bits of the vectors.
    with single_threaded_blas():
        map_items(encode, _batches(tokens))
    return WordVectors(kept, matrix if dim is None else principal_components(matrix, dim))


def principal_components(matrix: FloatMatrix, dim: int) -> FloatMatrix:
    """Centre, and rotate to the ``dim`` directions of greatest variance (all, if fewer)."""
    centred = matrix - matrix.mean(axis=0, dtype=np.float64).astype(np.float32)
    with single_threaded_blas():
        _, directions = np.linalg.eigh(inner_product(centred, centred, n_jobs=None))
        leading = directions[:, ::-1][:, :dim]
        signs = np.sign(leading[np.abs(leading).argmax(axis=0), np.arange(leading.shape[1])])
        return tall_product(centred, (leading * signs).astype(np.float32), n_jobs=None)


def _tokenize(folder: Path, words: list[str]) -> list[list[int]]:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtraError("tokenizers", "static", "distilling a sentence encoder") from error
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise FormatError(f"{folder} has no tokenizer.json; save the model with a fast tokenizer.")
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()  # Some folders pad every text to 128 tokens.
    tokenizer.enable_truncation(64)
    return [encoded.ids for encoded in tokenizer.encode_batch(words)]


def _batches(tokens: list[list[int]]) -> list[list[int]]:
    """Rows grouped by their number of tokens."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for row, ids in enumerate(tokens):
        by_length[len(ids)].append(row)
    return [
        rows[start : start + _BATCH]
        for _, rows in sorted(by_length.items())
        for start in range(0, len(rows), _BATCH)
    ]
