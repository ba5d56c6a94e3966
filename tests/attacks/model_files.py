"""Mutated model folders: a load gives the model that was saved, a sound one, or a FormatError.

Two kinds of damage. *Accidents* change bytes of any file: a load must notice them all, or give the
same vectors. *Forgeries* change values of the config and put all checksums right again, as somebody
who means harm would: a load may succeed, but then embedding must work and give finite numbers.
"""

from __future__ import annotations

import copy
import hashlib
import json
import random
import shutil
import tempfile
import warnings
from pathlib import Path

import numpy as np

from psif import PSIF, FormatError, PsifError, PsifWarning
from tests import corpora

TEXTS = ["the ship and the cat", "stock market of the sea", ""]
SETTINGS = [
    {"n_topics": 3},
    {"n_topics": 2, "n_dims": 5, "word_columns": 0.3},
    {"n_topics": 2, "unknown": "hash", "counts": "log", "shared_topic": 0.5},
]
VALUES = [None, True, 0, 1, -1, 2, 10**9, 2**63, 1e308, -0.5, "", "x", "(", "sgns", [], [1], {}]
VALUES += [{"a": 1}, "\ud800", [[]], 0.999, "word", 1.5]


def attack(n_mutations, seed=0):
    """Try mutations of saved models; return how many, and what went wrong."""
    return attack_saved(n_mutations, seed, _saved_models, forge, _try)


def attack_saved(n_mutations, seed, save, forge, attempt):
    """Damage or forge copies of what ``save(root)`` wrote, and let ``attempt`` load each."""
    chance = random.Random(seed)
    failures = []
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore", PsifWarning)
        saved = save(Path(name))
        folder = Path(name) / "mutated"
        for number in range(n_mutations):
            source, expected = chance.choice(saved)
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(source, folder)
            accident = chance.random() < 0.5
            what = damage(folder, chance) if accident else forge(folder, chance)
            problem = attempt(folder, expected if accident else None)
            if problem:
                failures.append(f"mutation {number} of seed {seed} ({what}): {problem}")
    return n_mutations, failures


def _saved_models(root):
    saved = []
    for number, settings in enumerate(SETTINGS):
        model = PSIF(corpora.vectors(), random_state=0, **settings).fit(corpora.texts(30))
        model.save(root / str(number))
        saved.append((root / str(number), model.transform(TEXTS)))
    return saved


def _try(folder, expected):
    try:
        model = PSIF.load(folder)
    except FormatError as error:
        return None if str(folder) in str(error) else f"the error does not name the folder: {error}"
    except BaseException as error:
        return f"load raised {type(error).__name__}: {error}"
    try:
        vectors = model.transform(TEXTS)
        model.topics()
        model.explain(TEXTS[0], TEXTS[1])
    except PsifError as error:
        return None if expected is None else f"a damaged model was loaded and failed: {error}"
    except BaseException as error:
        return f"embedding raised {type(error).__name__}: {error}"
    if not np.isfinite(vectors).all():
        return "vectors are not finite"
    if expected is not None and not np.array_equal(vectors, expected):
        return "the vectors changed silently"
    return None


def damage(folder, chance):
    """Change bytes of one file, as a bad disk or a broken copy would."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    path = chance.choice([path for path in files if path.name != "README.md"])
    data = bytearray(path.read_bytes())
    place = chance.randrange(len(data))
    kind = chance.choice(["flip", "cut", "zero", "repeat", "insert", "remove file"])
    if kind == "flip":
        data[place] ^= 1 << chance.randrange(8)
    if kind == "cut":
        del data[place:]
    if kind == "zero":
        data[place : place + 16] = bytes(len(data[place : place + 16]))
    if kind == "repeat":
        data += data[place:]
    if kind == "insert":
        data[place:place] = chance.randbytes(3)
    if kind == "remove file":
        path.unlink()
    else:
        path.write_bytes(data)
    return f"{kind} in {path.name} at {place}"


def forge(folder, chance, arrays="model.safetensors"):
    """Change values of the config, or numbers of the arrays, and put the checksums right."""
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8", errors="surrogatepass"))
    what = "array"
    if chance.random() < 0.25:
        _forge_array(folder / arrays, config, chance)
    else:
        what = forge_value(config, chance)
    config.pop("checksum", None)
    text = json.dumps(config, sort_keys=True, separators=(",", ":"))
    config["checksum"] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(config))
    return what


def forge_value(config, chance):
    node, keys = config, []
    while True:
        key = chance.choice(list(node)) if isinstance(node, dict) else chance.randrange(len(node))
        keys.append(key)
        inside = node[key]
        if not (isinstance(inside, dict | list) and inside) or chance.random() < 0.1:
            break
        node = inside
    if isinstance(node, dict) and chance.random() < 0.15:
        del node[key]
        return f"without {keys}"
    node[key] = copy.deepcopy(chance.choice(VALUES))
    return f"{keys} = {node[key]!r}"


def _forge_array(path, config, chance):
    from safetensors.numpy import load_file, save_file

    arrays = load_file(path)
    name = chance.choice(sorted(arrays))
    array = arrays[name]
    if array.size:
        values = [np.nan, np.inf, -1, 0, 1e38, -1e38, 1e-42]
        place = chance.randrange(array.size)
        value = chance.choice(values)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array.reshape(-1)[place] = np.array(value).astype(array.dtype)
    if chance.random() < 0.2:
        arrays[name] = array.astype(np.float64 if array.dtype == np.float32 else np.int32)
    save_file(arrays, path)
    data = path.read_bytes()
    config["files"][path.name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    config["arrays"] = {
        key: {"dtype": str(value.dtype), "shape": list(value.shape)}
        for key, value in arrays.items()
    }
