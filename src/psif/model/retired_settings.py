"""Settings of earlier versions: their new names, and saved models that use the old ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Old name to new name.
RENAMED = {"own_words": "word_columns", "contexts": "smoothing", "shared": "shared_topic"}
# Settings that moved into the dict ``train_options``.
IN_TRAIN_OPTIONS = ("max_words", "max_doc_share", "vocabulary")
# Name to reason.
RETIRED = {
    "n_own_words": "the number of word columns is chosen by the model",
    "whiten": "no preset used it",
    "covariance": "the mixture has one covariance for all topics",
    "init": "the dictionary starts from a singular value decomposition",
    "max_iter": "the dictionary takes at most 10 iterations",
    "tol": "the dictionary stops when the loss improves by less than 0.1 %",
    "dtype": "transform returns float32; psif embed --dtype writes smaller numbers",
    "sparse": "scipy.sparse.csr_array(vectors) makes a sparse matrix",
    "progress": "give it to fit",
    "compact": "the projection to n_dims numbers is chosen by the model",
}
_DEFAULTS = {"max_words": None, "max_doc_share": 1.0, "vocabulary": "all"}


def current_settings(saved: Mapping[str, Any]) -> dict[str, Any]:
    """Translate the settings of a saved model, whatever version wrote it."""
    settings = {RENAMED.get(name, name): value for name, value in saved.items()}
    # Until version 0.2 vectors kept the length of the average.
    settings.setdefault("normalize", False)
    if "contexts" in saved and saved["contexts"] == "words":
        settings["smoothing"] = "none"
    moved = {name: settings.pop(name) for name in IN_TRAIN_OPTIONS if name in settings}
    moved = {name: value for name, value in moved.items() if value != _DEFAULTS[name]}
    if moved:
        settings["train_options"] = {**moved, **(settings.get("train_options") or {})}
    return {name: value for name, value in settings.items() if name not in RETIRED}
