"""Mutated classifier folders: a load gives the classifier that was saved, a sound one, or an error.

As in :mod:`tests.attacks.model_files`, *accidents* change bytes and must be noticed or change no
prediction; *forgeries* put all checksums right again, and what loads must predict and explain.
"""

from __future__ import annotations

import json

import numpy as np

from psif import PSIFClassifier, PsifError
from tests.attacks.model_files import attack_saved, forge
from tests.classify.conftest import ANIMALS, MONEY, make_texts, small_model

TEXTS = ["the cat and the fund", "a ship in the storm", "", "nothing known"]


def attack(n_mutations, seed=0):
    """Try mutations of saved classifiers; return how many, and what went wrong."""
    return attack_saved(n_mutations, seed, _saved, _forge, _try)


def _saved(root):
    saved = []
    texts, y = make_texts(60)
    pair_texts, pair = make_texts(40, (ANIMALS, MONEY))
    several = [[label] if i % 3 else [label, "all"] for i, label in enumerate(y)]
    for number, (given, labels) in enumerate([(texts, y), (pair_texts, pair), (texts, several)]):
        clf = PSIFClassifier(small_model(), random_state=0).fit(given, labels)
        clf.save(root / str(number))
        saved.append((root / str(number), clf.decision_function(TEXTS)))
    return saved


def _forge(folder, chance):
    """Forge the classifier, or the model inside, whose new checksum the classifier then gets."""
    if chance.random() < 0.7:
        return forge(folder, chance, "classifier.safetensors")
    what = forge(folder / "model", chance)
    model = json.loads((folder / "model" / "config.json").read_text())
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config["model"] = model.get("checksum")
    from psif.model.folder import config_checksum

    config["checksum"] = config_checksum(config)
    path.write_text(json.dumps(config))
    return f"model: {what}"


def _try(folder, expected):
    try:
        clf = PSIFClassifier.load(folder)
    except PsifError as error:
        return None if str(folder) in str(error) else f"the error does not name the folder: {error}"
    except BaseException as error:
        return f"load raised {type(error).__name__}: {error}"
    try:
        scores = clf.decision_function(TEXTS)
        clf.predict(TEXTS)
        chances = clf.predict_proba(TEXTS)
        clf.explain(TEXTS[0])
        clf.describe()
    except PsifError as error:
        return None if expected is None else f"a damaged classifier was loaded and failed: {error}"
    except BaseException as error:
        return f"prediction raised {type(error).__name__}: {error}"
    if not (np.isfinite(scores).all() and np.isfinite(chances).all()):
        return "scores are not finite"
    if expected is not None and not np.array_equal(scores, expected):
        return "the scores changed silently"
    return None
