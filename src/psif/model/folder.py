"""A fitted model as a folder: ``config.json``, ``model.safetensors``, ``vocab.txt``, ``README.md``.

Nothing in it is executable and nothing is trusted: names, sizes, checksums, types and shapes are
checked before any of it is used. The folder appears complete or not at all, and a reader that sees
it being replaced reads again.

``config.json`` has the checksums of the other files and, under ``checksum``, one of its own
content. That checksum identifies the model: files of vectors carry it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from psif.errors import FormatError, InputError
from psif.runtime.atomic import atomic_folder
from psif.runtime.settled import read_settled
from psif.vectors.readers.safetensors_map import map_tensors
from psif.vectors.ready import READY, is_ready

FORMAT = "psif-model"
FORMAT_VERSION = 2
_FIRST_WITH_CHECKSUM = 2
CONFIG, ARRAYS, VOCABULARY, CARD = "config.json", "model.safetensors", "vocab.txt", "README.md"
_FILES = {CONFIG, ARRAYS, VOCABULARY, CARD}
# A config holds options and a stop-word list; a hostile one should not fill the memory.
_LARGEST_CONFIG = 16 * 2**20


@dataclass(frozen=True)
class SavedModel:
    """The content of a model folder."""

    config: dict[str, Any]
    arrays: dict[str, np.ndarray]
    words: list[str]

    @property
    def checksum(self) -> str:
        """The checksum that identifies the model."""
        return _identity(self.config)


def write_model(
    folder: str | Path,
    config: Mapping[str, Any],
    arrays: Mapping[str, np.ndarray],
    words: list[str],
    card: str,
) -> str:
    """Write a model folder and return its checksum.

    An existing model in the folder is replaced; anything else is refused.
    """
    from safetensors.numpy import save_file

    folder = Path(folder)
    check_replaceable(folder)
    with atomic_folder(folder) as part:
        save_file({k: np.ascontiguousarray(v) for k, v in arrays.items()}, part / ARRAYS)
        (part / VOCABULARY).write_bytes(_pack_words(words))
        (part / CARD).write_text(card, encoding="utf-8")
        full = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            **config,
            "arrays": {k: {"dtype": str(v.dtype), "shape": v.shape} for k, v in arrays.items()},
            "files": {name: fingerprint(part / name) for name in (ARRAYS, VOCABULARY)},
        }
        full["checksum"] = config_checksum(full)
        text = json.dumps(full, indent=2, ensure_ascii=False, allow_nan=False)
        (part / CONFIG).write_text(text + "\n", encoding="utf-8", errors="surrogatepass")
    return str(full["checksum"])


def read_model(folder: str | Path, *, mapped: bool = False) -> SavedModel:
    """Read a model folder and check all of it before use.

    ``mapped`` arrays stay in the file, so that processes of one machine share them.
    """
    folder = Path(folder)
    return read_settled(folder, lambda: _read(folder, mapped))


def model_checksum(folder: str | Path) -> str:
    """Return the checksum that identifies a saved model of any version, or a ready one."""
    if is_ready(folder):
        return READY[str(folder)]
    return _identity(_read_config(Path(folder)))


def _read(folder: Path, mapped: bool) -> SavedModel:
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise FormatError(f"{folder} {what}; expected a model folder, as PSIF.save writes it.")
    config = _read_config(folder)
    for name in (ARRAYS, VOCABULARY):
        check_file(folder / name, config["files"].get(name))
    words = _unpack_words((folder / VOCABULARY).read_bytes(), folder / VOCABULARY)
    if len(set(words)) != len(words):
        raise FormatError(f"{folder / VOCABULARY}: a word occurs twice.")
    return SavedModel(config, read_arrays(folder / ARRAYS, config["arrays"], mapped), words)


def check_replaceable(folder: Path) -> None:
    """Refuse to save over anything but an earlier model."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder} is a file; a model is saved as a folder. Give another name.")
    if folder.is_symlink():
        raise InputError(f"{folder} is a symbolic link; give the folder that it points to.")
    present = {path.name for path in folder.iterdir()}
    if present - _FILES or (present and not _is_ours(folder)):
        other = sorted(present - _FILES)[:3] or sorted(present)[:3]
        raise InputError(
            f"{folder} holds other things than a psif model ({', '.join(other)}); "
            "they would be lost. Give another folder, or move them away."
        )


def _is_ours(folder: Path) -> bool:
    """Look into the config, because other programs write a ``config.json`` too."""
    try:
        data = (folder / CONFIG).read_bytes()[:_LARGEST_CONFIG]
        config = json.loads(data.decode("utf-8", errors="surrogatepass"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(config, dict) and config.get("format") == FORMAT


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object of a bounded size."""
    if path.stat().st_size > _LARGEST_CONFIG:
        raise FormatError(f"{path} is larger than {_LARGEST_CONFIG} bytes: not one of ours.")
    try:
        config = json.loads(path.read_bytes().decode("utf-8", errors="surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not valid JSON ({error}); the model is damaged.") from error
    return config if isinstance(config, dict) else {}


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / CONFIG
    if not path.is_file():
        raise FormatError(f"{folder} has no {CONFIG}: it is not a psif model, or is incomplete.")
    config = read_json(path)
    if config.get("format") != FORMAT:
        raise FormatError(f"{path} does not describe a psif model (no 'format': '{FORMAT}').")
    version = config.get("format_version")
    if not isinstance(version, int) or version < 1:
        raise FormatError(f"{path}: format_version is {version!r}, expected a whole number.")
    if version > FORMAT_VERSION:
        raise FormatError(
            f"{folder} was written by a newer psif (format {version}, this one reads up to "
            f"{FORMAT_VERSION}). Upgrade: pip install --upgrade psif."
        )
    if version >= _FIRST_WITH_CHECKSUM or "checksum" in config:
        _check_config(path, config)
    for key in ("params", "tokenizer", "corpus", "arrays", "files"):
        if not isinstance(config.get(key), dict):
            raise FormatError(f"{path}: '{key}' is missing; the model is damaged.")
    return config


def _check_config(path: Path, config: Mapping[str, Any]) -> None:
    if config.get("checksum") != config_checksum(config):
        raise FormatError(f"{path} does not match its own checksum: damaged or changed.")


def _identity(config: Mapping[str, Any]) -> str:
    """Return the checksum of a config; models of version 0.1 have none in it."""
    return str(config.get("checksum") or config_checksum(config))


def config_checksum(config: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the content of a config, independent of order and spacing."""
    content = {name: value for name, value in config.items() if name != "checksum"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def check_file(path: Path, expected: Any) -> None:
    """Refuse a file that is missing or differs from its size and SHA-256."""
    if not path.is_file():
        raise FormatError(f"{path} is missing; the model is incomplete.")
    if not isinstance(expected, dict):
        raise FormatError(f"{path.parent / CONFIG} has no checksum for {path.name}.")
    size = path.stat().st_size
    if size != expected.get("size"):
        raise FormatError(
            f"{path} has {size} bytes, expected {expected.get('size')}: truncated or changed."
        )
    if fingerprint(path) != expected:
        raise FormatError(f"{path} does not match its checksum: damaged or changed.")


def read_arrays(path: Path, expected: Mapping[str, Any], mapped: bool) -> dict[str, np.ndarray]:
    """Read a safetensors file whose arrays must have the given types and shapes."""
    from safetensors import SafetensorError

    try:
        if mapped:
            arrays = {k: np.asarray(v) for k, v in map_tensors(path, "c").items()}
        else:
            arrays = _load_arrays(path)
    except (SafetensorError, LookupError, OSError, TypeError, ValueError) as error:
        raise FormatError(f"{path} is not a valid safetensors file ({error}).") from error
    found = {k: {"dtype": str(v.dtype), "shape": list(v.shape)} for k, v in arrays.items()}
    if found != expected:
        raise FormatError(f"{path} does not hold the arrays that {CONFIG} describes.")
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise FormatError(f"{path}: '{name}' holds NaN or infinity.")
    return arrays


def _load_arrays(path: Path) -> dict[str, np.ndarray]:
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as file:
        return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def fingerprint(path: Path) -> dict[str, Any]:
    """Return the size and the SHA-256 of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"size": path.stat().st_size, "sha256": digest}


def _pack_words(words: list[str]) -> bytes:
    r"""One word per line; a backslash or line break inside a word is escaped."""
    text = "".join([f"{word}\n" for word in words])
    if "\\" in text or "\r" in text or text.count("\n") != len(words):
        escapes = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r"})
        text = "".join([f"{word.translate(escapes)}\n" for word in words])
    return text.encode("utf-8", errors="surrogatepass")


def _unpack_words(data: bytes, path: Path) -> list[str]:
    try:
        text = data.decode("utf-8", errors="surrogatepass")
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8 ({error}).") from error
    words = text.split("\n")[:-1]
    if "\\" not in text:
        return words
    marks = {"\\": "\\", "n": "\n", "r": "\r"}
    return [_unescape(word, marks, path) for word in words]


def _unescape(word: str, marks: Mapping[str, str], path: Path) -> str:
    head, *rest = word.split("\\")
    pieces, position = [head], 0
    while position < len(rest):
        piece = rest[position]
        if piece == "" and position + 1 < len(rest):  # an escaped backslash
            pieces += ["\\", rest[position + 1]]
            position += 2
        elif piece[:1] in marks:
            pieces += [marks[piece[0]], piece[1:]]
            position += 1
        else:
            raise FormatError(f"{path}: stray backslash in {word!r}.")
    return "".join(pieces)
