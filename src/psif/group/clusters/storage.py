"""Groups as a folder: checked arrays and JSON, and the model of documents inside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from psif.errors import FormatError, InputError
from psif.group.clusters.describing import Group, WideGroup
from psif.group.clusters.rule import Rule
from psif.model.embedder import Embedder
from psif.model.folder import check_file, config_checksum, fingerprint, read_arrays, read_json
from psif.runtime.atomic import atomic_folder
from psif.runtime.settled import read_settled
from psif.version import __version__

if TYPE_CHECKING:
    from psif.group.clusters.groups import Groups

G = TypeVar("G", bound="Groups")

FORMAT, FORMAT_VERSION = "psif-groups", 1
CONFIG, ARRAYS, MODEL = "config.json", "groups.safetensors", "model"
_NAMES = ("weights", "biases", "centroids", "fences")


def save(groups: Groups, folder: str | Path) -> None:
    """Write groups; groups that are there are replaced, anything else is refused."""
    from safetensors.numpy import save_file

    folder = Path(folder)
    check_replaceable(folder)
    arrays = {name: np.ascontiguousarray(getattr(groups.rule, name)) for name in _NAMES}
    with atomic_folder(folder) as part:
        groups.model.save(part / MODEL)
        save_file(arrays, part / ARRAYS)
        config: dict[str, Any] = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "psif_version": __version__,
            "groups": [group.to_dict() for group in groups.groups],
            "wide": [[one.to_dict() for one in level] for level in groups.wide],
            "model": groups.model.checksum_,
            "arrays": {k: {"dtype": str(v.dtype), "shape": v.shape} for k, v in arrays.items()},
            "files": {ARRAYS: fingerprint(part / ARRAYS)},
        }
        config["checksum"] = config_checksum(config)
        text = json.dumps(config, indent=2, ensure_ascii=False, allow_nan=False)
        (part / CONFIG).write_text(text + "\n", encoding="utf-8", errors="surrogatepass")


def load(kind: type[G], folder: str | Path) -> G:
    """Read a folder of groups, checking everything before it is used."""
    folder = Path(folder)
    return read_settled(folder, lambda: _load(kind, folder))


def _load(kind: type[G], folder: Path) -> G:
    config = _read_config(folder)
    check_file(folder / ARRAYS, config["files"].get(ARRAYS))
    arrays = read_arrays(folder / ARRAYS, config["arrays"], mapped=False)
    model = Embedder.load(folder / MODEL)
    if model.checksum_ != config.get("model"):
        raise FormatError(f"{folder / MODEL} is not the model that these groups were saved with.")
    try:
        groups = [Group(**entry) for entry in config["groups"]]
        wide = [[WideGroup(**entry) for entry in level] for level in config["wide"]]
    except (KeyError, TypeError) as error:
        raise FormatError(f"{folder / CONFIG} cannot be used ({error}).") from error
    n, width = len(groups), model.n_features_out_
    shapes = {"weights": (n, width), "biases": (n,), "centroids": (n, width), "fences": (n,)}
    found = {name: array.shape for name, array in arrays.items()}
    if found != shapes or any(array.dtype != np.float32 for array in arrays.values()):
        raise FormatError(f"{folder / ARRAYS}: the arrays do not fit the model and the groups.")
    return kind(model, Rule(**arrays), groups, wide)


def check_replaceable(folder: Path) -> None:
    """Refuse a place where something else than groups would be lost."""
    if folder.is_dir():
        present = {path.name for path in folder.iterdir()}
        ours = present <= {CONFIG, ARRAYS, MODEL} and _is_groups(folder)
        if present and not ours:
            raise InputError(
                f"{folder} holds other things than groups ({', '.join(sorted(present)[:3])}); "
                "they would be lost. Give another folder."
            )
    elif folder.exists():
        raise InputError(f"{folder} is a file; give a folder for the groups.")


def _is_groups(folder: Path) -> bool:
    try:
        return bool(read_json(folder / CONFIG).get("format") == FORMAT)
    except (OSError, FormatError):
        return False


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / CONFIG
    if not path.is_file():
        raise FormatError(f"{folder} has no {CONFIG}: it holds no groups. See psif group.")
    config = read_json(path)
    if config.get("format") != FORMAT:
        raise FormatError(f"{folder} holds no groups (its format is {config.get('format')!r}).")
    version = config.get("format_version")
    if not isinstance(version, int) or not 1 <= version <= FORMAT_VERSION:
        raise FormatError(
            f"{folder}: format_version is {version!r}, this psif reads {FORMAT_VERSION}. "
            "Upgrade: pip install --upgrade psif."
        )
    if config.get("checksum") != config_checksum(config):
        raise FormatError(f"{path} does not match its own checksum: damaged or changed.")
    for key, kind in (("arrays", dict), ("files", dict), ("groups", list), ("wide", list)):
        if not isinstance(config.get(key), kind):
            raise FormatError(f"{path}: '{key}' is missing; the groups are damaged.")
    return config
