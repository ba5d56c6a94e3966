"""A fitted classifier as a folder: checked arrays and JSON, and the model of documents inside.

``config.json`` names the classes and holds the checksum of ``classifier.safetensors``, that of the
model in the folder ``model``, and one of its own content. A table of a language is inside psif, so
the folder names it by its checksum. Nothing in the folder is executable.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from psif.classify.feature_map import PartShares
from psif.classify.folded import Decisions
from psif.classify.language import LanguageTable
from psif.classify.linear.losses import LOSSES
from psif.classify.marker import CONFIG, FORMAT, is_classifier
from psif.classify.pairs import PairColumns
from psif.errors import FormatError, InputError
from psif.model import folder as model_folder
from psif.model.card import hub_metadata
from psif.model.estimator import PSIF
from psif.model.folder import (
    check_file,
    config_checksum,
    fingerprint,
    read_arrays,
    read_json,
)
from psif.model.packing import check_dtype, pack, unpack
from psif.runtime.atomic import atomic_folder
from psif.runtime.settled import read_settled
from psif.text.vocabulary import Vocabulary
from psif.vectors.ready import READY
from psif.version import __version__

if TYPE_CHECKING:
    from psif.classify.estimator import PSIFClassifier

C = TypeVar("C", bound="PSIFClassifier")

FORMAT_VERSION = 3
ARRAYS, MODEL, CARD = "classifier.safetensors", "model", "README.md"

# Saved in fewer bytes, with int8 only from so many columns on.
_PACKED = ("weights",)
_LEAST_CLASSES = 4


def save(clf: PSIFClassifier, folder: str | Path, dtype: str = "float32") -> None:
    """Write a classifier; one that is there is replaced, anything else is refused."""
    from safetensors.numpy import save_file

    folder = Path(folder)
    check_dtype(dtype)
    check_replaceable(folder)
    arrays = {
        "weights": clf.weights_,
        "intercepts": clf.intercepts_,
        "mean_shares": clf.mean_shares_,
        "pair_keys": clf.pairs_.keys,
        "pair_weights": clf.pairs_.weights,
        "mean_pair_shares": clf.mean_pair_shares_,
        "mean_language_shares": clf.mean_language_shares_,
    }
    # One scale per feature costs more than it saves where classes are few.
    few = dtype == "int8" and clf.weights_.shape[1] < _LEAST_CLASSES
    arrays = pack(arrays, "float16" if few else dtype, _PACKED)
    with atomic_folder(folder) as part:
        clf.model_.save(part / MODEL, dtype=dtype)
        save_file({k: np.ascontiguousarray(v) for k, v in arrays.items()}, part / ARRAYS)
        config = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "psif_version": __version__,
            "classes": clf.classes_.tolist(),
            "several": clf.several_,
            "loss": clf.loss_,
            "C": clf.C_,
            "shares": list(clf.shares_),
            "language": clf.language_ and {clf.language_: READY[clf.language_]},
            "temperature": clf.temperature_,
            "held_out_score": clf.held_out_score_,
            "model": clf.model_.checksum_,
            "arrays": {k: {"dtype": str(v.dtype), "shape": v.shape} for k, v in arrays.items()},
            "files": {ARRAYS: fingerprint(part / ARRAYS)},
        }
        config["checksum"] = config_checksum(config)
        text = json.dumps(config, indent=2, ensure_ascii=False, allow_nan=False)
        (part / CONFIG).write_text(text + "\n", encoding="utf-8", errors="surrogatepass")
        (part / CARD).write_text(_card(clf), encoding="utf-8", errors="backslashreplace")


def load(kind: type[C], folder: str | Path) -> C:
    """Read a classifier folder, checking everything before it is used."""
    folder = Path(folder)
    return read_settled(folder, lambda: _load(kind, folder))


def _load(kind: type[C], folder: Path) -> C:
    config = _read_config(folder)
    check_file(folder / ARRAYS, config["files"].get(ARRAYS))
    arrays = unpack(read_arrays(folder / ARRAYS, config["arrays"], mapped=False), _PACKED)
    model = PSIF.load(folder / MODEL)
    if model.checksum_ != config.get("model"):
        raise FormatError(f"{folder / MODEL} is not the model that this classifier was saved with.")
    clf = kind()
    clf.model_ = model
    try:
        clf.classes_ = _classes(config["classes"])
        clf.several_ = config["several"] is True
        clf.loss_, clf.C_ = str(config["loss"]), float(config["C"])
        clf.shares_ = PartShares(*(float(share) for share in config["shares"]))
        clf._language = _language(config["language"], clf.model_.vocabulary_, folder)
        clf.temperature_ = float(config["temperature"])
        score = config["held_out_score"]
        clf.held_out_score_ = None if score is None else float(score)
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise FormatError(f"{folder / CONFIG} cannot be used ({error}).") from error
    if clf.loss_ not in LOSSES or not 0 < clf.temperature_ < np.inf:
        raise FormatError(f"{folder / CONFIG}: loss or temperature is not one that a fit makes.")
    bad = not all(0 <= share <= 1 for share in clf.shares_) or clf.shares_.topics == 0
    if bad or (clf.shares_.language > 0) != (clf._language is not None):
        raise FormatError(f"{folder / CONFIG}: 'shares' are not those of parts of a document.")
    _check_arrays(clf, arrays, folder / ARRAYS)
    clf.weights_, clf.intercepts_ = arrays["weights"], arrays["intercepts"]
    clf.mean_shares_, clf.mean_pair_shares_ = arrays["mean_shares"], arrays["mean_pair_shares"]
    clf.mean_language_shares_ = arrays["mean_language_shares"]
    clf._decisions = Decisions(clf._features(), clf.weights_, clf.intercepts_)
    return clf


def check_replaceable(folder: Path) -> None:
    """Refuse a place where something else than a classifier would be lost."""
    if folder.is_symlink():
        raise InputError(f"{folder} is a symbolic link; give the folder that it points to.")
    if folder.is_dir():
        present = {path.name for path in folder.iterdir()}
        ours = is_classifier(folder) and present <= {CONFIG, ARRAYS, MODEL, CARD}
        if present and not ours:
            raise InputError(
                f"{folder} holds other things than a psif classifier "
                f"({', '.join(sorted(present)[:3])}); they would be lost. Give another folder."
            )
        model_folder.check_replaceable(folder / MODEL)
    elif folder.exists():
        raise InputError(f"{folder} is a file; give a folder for the classifier.")


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / CONFIG
    if not path.is_file():
        raise FormatError(f"{folder} is no classifier: it has no {CONFIG}. See psif train.")
    config = read_json(path)
    if config.get("format") != FORMAT:
        raise FormatError(
            f"{folder} is no classifier (its format is {config.get('format')!r}). "
            "Make one with psif train or PSIFClassifier.save."
        )
    version = config.get("format_version")
    if not isinstance(version, int) or version != FORMAT_VERSION:
        raise FormatError(
            f"{folder}: format_version is {version!r}, this psif reads {FORMAT_VERSION}. "
            "Upgrade: pip install --upgrade psif."
        )
    if config.get("checksum") != config_checksum(config):
        raise FormatError(f"{path} does not match its own checksum: damaged or changed.")
    for key in ("arrays", "files"):
        if not isinstance(config.get(key), dict):
            raise FormatError(f"{path}: '{key}' is missing; the classifier is damaged.")
    return config


def _language(found: Any, known: Vocabulary, folder: Path) -> LanguageTable | None:
    """Open the table of a language that a classifier was trained with."""
    if found is None:
        return None
    if not isinstance(found, dict) or len(found) != 1:
        raise ValueError("'language' is not the name of a table and its checksum")
    ((name, checksum),) = found.items()
    if READY.get(name) != checksum:
        raise FormatError(
            f"{folder} was trained with a table {name!r} that this psif does not have. Use the "
            "version of psif in its config.json, or train it again."
        )
    return LanguageTable.of(name, known)


def _classes(names: Any) -> np.ndarray:
    kinds = {isinstance(name, str) for name in names}
    plain = all(isinstance(name, str | int | float | bool) for name in names)
    if not isinstance(names, list) or len(names) < 2 or len(kinds) != 1 or not plain:
        raise ValueError("'classes' is not a list of two or more labels of one type")
    if names != sorted(set(names)):
        raise ValueError("'classes' are not sorted, or one occurs twice")
    return np.array(names)


def _check_arrays(clf: PSIFClassifier, arrays: dict[str, np.ndarray], path: Path) -> None:
    """Shapes and types must fit the model and the classes."""
    n_classes, n_words = len(clf.classes_), len(clf.model_.vocabulary_.words)
    m = 1 if n_classes == 2 and not clf.several_ else n_classes
    if clf.model_.table_ is not None:
        raise FormatError(f"{path.parent}: a model of compact vectors has no classifier.")
    keys, idf = arrays.get("pair_keys"), arrays.get("pair_weights")
    if keys is None or idf is None or keys.dtype != np.int64 or keys.ndim != 1:
        raise FormatError(f"{path}: the arrays do not fit the model and the classes.")
    # Compiled loops do not check the ids of words.
    if (np.diff(keys) <= 0).any() or (keys < 0).any() or (keys >> 32 >= n_words).any():
        raise FormatError(f"{path}: 'pair_keys' are not increasing pairs of words.")
    if (keys & 0xFFFFFFFF >= n_words).any():
        raise FormatError(f"{path}: 'pair_keys' name words that the model does not have.")
    clf.pairs_ = PairColumns(keys, idf)
    expected = {
        "weights": (clf._features().n_features, m),
        "intercepts": (m,),
        "mean_shares": (2, n_words),
        "pair_keys": keys.shape,
        "pair_weights": keys.shape,
        "mean_pair_shares": keys.shape,
        "mean_language_shares": (0 if clf._language is None else len(clf._vocabulary),),
    }
    shapes = {name: array.shape for name, array in arrays.items()}
    floats = [array.dtype for name, array in arrays.items() if name != "pair_keys"]
    if shapes != expected or any(kind != np.float32 for kind in floats):
        raise FormatError(f"{path}: the arrays do not fit the model and the classes.")


def _card(clf: PSIFClassifier) -> str:
    names = ", ".join(str(name) for name in clf.classes_[:20].tolist())
    return f"""{hub_metadata("text-classification", ["text-classification"])}# A psif classifier

```python
from psif import PSIFClassifier

clf = PSIFClassifier.load("this folder")
clf.predict(["a new document"])
print(clf.explain("a new document"))
```

{len(clf.classes_)} classes: {names}{", ..." if len(clf.classes_) > 20 else ""}

Made with psif {__version__}. `classifier.safetensors` holds the weights, `model` the model of
documents, `config.json` the classes and checksums. No file holds code.
"""
