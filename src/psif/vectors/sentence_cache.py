"""Vectors of many sentences, kept on disk in chunks so that a run can go on where it stopped."""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from psif.errors import InputError, PsifError, PsifWarning
from psif.runtime.atomic import atomic_path
from psif.runtime.norms import unit_rows
from psif.types import FloatMatrix
from psif.vectors.encoding import SentenceEncoder
from psif.vectors.progress import Progress, Steps

CHUNK = 4_000
_SUM = hashlib.sha256().digest_size  # a checksum stands behind the array


class SentenceCache:
    """Unit vectors of sentences as float16, one file per chunk of sentences.

    A file is named by a digest of the encoder and of its sentences. So a changed sentence or
    another encoder never meets old vectors, and sentences may be appended later.

    Parameters
    ----------
    folder : Path
    identity : str
        What identifies the encoder; see :attr:`SentenceEncoder.identity`.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder = folder
        self.identity = identity
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"the cache folder {folder} cannot be made: {error}.") from error

    def path(self, sentences: Sequence[str]) -> Path:
        """Return the file of a chunk."""
        digest = hashlib.sha256(self.identity.encode())
        for sentence in sentences:
            digest.update(sentence.encode("utf-8", "surrogatepass") + b"\n")
        return self.folder / f"{digest.hexdigest()[:32]}.npy"

    def read(self, sentences: Sequence[str], dim: int) -> FloatMatrix | None:
        """Return the vectors of a chunk; None if they are not here or not whole."""
        path = self.path(sentences)
        if not path.is_file():
            return None
        try:
            data = path.read_bytes()
        except OSError:
            data = b""
        if hashlib.sha256(data[:-_SUM]).digest() == data[-_SUM:]:
            vectors = np.load(io.BytesIO(data), allow_pickle=False)
            if vectors.shape == (len(sentences), dim) and np.isfinite(vectors).all():
                return np.asarray(vectors, dtype=np.float32)
        warnings.warn(
            f"{path} is damaged; its sentences are encoded again.", PsifWarning, stacklevel=2
        )
        return None

    def write(self, sentences: Sequence[str], vectors: FloatMatrix) -> None:
        """Keep the vectors of a chunk."""
        path = self.path(sentences)
        try:
            with atomic_path(path) as part:
                out = io.BytesIO()
                np.save(out, vectors.astype(np.float16), allow_pickle=False)
                part.write_bytes(out.getvalue() + hashlib.sha256(out.getvalue()).digest())
        except OSError as error:
            raise PsifError(
                f"{path} cannot be written: {error}. What is encoded so far is kept; make room and "
                "run the same command again to go on."
            ) from error


def check_cache(folder: Path) -> None:
    """Raise if a folder that is to be removed in the end holds anything but chunks."""
    try:
        foreign = sorted(path.name for path in folder.iterdir() if not _is_chunk(path))
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"the cache folder {folder} cannot be used: {error}.") from error
    if foreign:
        raise InputError(
            f"{folder} holds other things than vectors of sentences ({', '.join(foreign[:3])}). "
            "Give another folder as --cache, or move them away."
        )


def remove_cache(folder: Path) -> None:
    """Remove the chunks of a folder, and the folder if nothing else is in it."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if _is_chunk(path):
                path.unlink()
        folder.rmdir()


def _is_chunk(path: Path) -> bool:
    """Whether a file has the name of a chunk, or of one that was not finished."""
    return re.fullmatch(r"[0-9a-f]{32}\.npy|\.[0-9a-f]{32}\.npy\..*part", path.name) is not None


def chunks(sentences: Sequence[str]) -> Iterator[Sequence[str]]:
    """Cut sentences into chunks, in their order."""
    for start in range(0, len(sentences), CHUNK):
        yield sentences[start : start + CHUNK]


def encode_sentences(
    encoder: SentenceEncoder,
    sentences: Sequence[str],
    cache: str | Path | None = None,
    *,
    progress: Progress | None = None,
) -> FloatMatrix:
    """Return unit vectors of sentences; with a cache, only those that it has not are encoded."""
    store = None if cache is None else SentenceCache(Path(cache).expanduser(), encoder.identity)
    steps = Steps(progress, len(sentences))
    parts = []
    for chunk in chunks(sentences):
        vectors = None if store is None else store.read(chunk, encoder.dim)
        if vectors is None:
            encoded = unit_rows(encoder.encode(chunk, advance=steps.advance))
            # Rounded as the cache rounds them, so that a cache changes no number.
            vectors = encoded.astype(np.float16).astype(np.float32)
            if store is not None:
                store.write(chunk, vectors)
        else:
            steps.advance(len(chunk))
        parts.append(vectors)
    return np.concatenate(parts)
