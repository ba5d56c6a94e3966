"""Every reader of psif as a function of bytes, for random mutations and for a guided fuzzer.

The first byte of an input chooses a file of the format, or options; the others are its content. The
checksums of a folder are put right again, so that the content is what is tried. Whatever it is, a
reader gives something that can be used, or an error of psif that names the file.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import shutil
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from psif import PSIF, Index, PSIFClassifier, PsifError, PsifWarning, WordVectors
from psif.cli.config import load_config
from psif.files.readers import ReadOptions
from psif.group.clusters.groups import Groups, find_groups
from psif.model.folder import config_checksum, fingerprint
from psif.vectors.packed import PackedTable, read_packed, write_packed
from tests import corpora
from tests.attacks import readers, vector_files
from tests.attacks.model_files import forge_value
from tests.attacks.readers import mutated, time_limit

SECONDS = 20
TEXTS = ["the ship and the cat", "stock market of the sea", ""]
ENDINGS = [".txt", ".jsonl", ".csv", ".tsv", ".parquet", ".npy", ".safetensors", ".npz"]
TOML = b"""[embed]
dims = 64
dtype = "float16"
cluster = "tcp://elsewhere:1"
[fit]
set = ["min_count=2", "dim=4"]
topics = 20
vectors = "../glove.txt"
[serve]
host = "0.0.0.0"
"""


class Target(NamedTuple):
    """Sound inputs, and a function that reads one and says what is wrong, or None."""

    seeds: list[bytes]
    problem: Callable[[bytes], str | None]


def attack(n_mutations, seed=0):
    """Read mutated inputs of every target; return how many, and what went wrong."""
    chance = random.Random(seed)
    failures = []
    with tempfile.TemporaryDirectory() as name:
        targets = {key: make(_folder(Path(name) / key)) for key, make in TARGETS.items()}
        for number in range(n_mutations):
            key = chance.choice(sorted(targets))
            target = targets[key]
            data = chance.choice(target.seeds)
            content = _forged(data[1:], chance) or mutated(data[1:], chance, [])
            problem = target.problem(data[:1] + content)
            if problem:
                failures.append(f"mutation {number} of seed {seed} ({key}): {problem}")
    return n_mutations, failures


def _folder(path):
    path.mkdir()
    return path


def _forged(content, chance):
    """Change a value where the content is JSON; half of such inputs."""
    if not content.startswith(b"{") or chance.random() < 0.5:
        return None
    try:
        value = json.loads(content)
    except ValueError:  # lines of JSON
        return None
    forge_value(value, chance)
    return json.dumps(value).encode("utf-8", "surrogatepass")


def read_safely(read, name):
    """Call a reader; return what is wrong about it, or None."""
    try:
        with time_limit(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", PsifWarning)
            numbers = read()
    except PsifError as error:
        return None if name in str(error) else f"the error does not name the file: {error}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    if numbers is not None and not np.isfinite(numbers).all():
        return "numbers are not finite"
    return None


def documents(root):
    """Documents, and files of vectors."""

    def problem(data):
        choice = data[0] if data else 0
        ending = ENDINGS[choice % 8]
        packed = choice & 16 and ending in readers.DOCUMENTS
        path = root / f"x{ending}{'.gz' if packed else ''}"
        path.write_bytes(data[1:])
        options = ReadOptions(
            on_error="skip" if choice & 8 else "fail",
            encoding=[None, "utf-16"][choice >> 5 & 1],
            text_column=[None, "id"][choice >> 6 & 1],
            id_column=[None, "text"][choice >> 7],
        )
        return readers.problem_of(path, options)

    seeds = []
    for number, (ending, content) in enumerate(readers.seed_files()):
        first = ENDINGS.index(ending) | 8 * (number % 2)
        seeds.append(bytes([first]) + content)
        if ending in readers.DOCUMENTS:
            seeds.append(bytes([first | 16]) + readers.gzip.compress(content, mtime=0))
    return Target(seeds, problem)


def sparse_vectors(root):
    """Members of a ``.npz``, in an archive with right checksums."""
    ids = [f"document {i}" for i in range(5)]
    rows = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)
    contents = []
    for scaled in (False, True):
        with zipfile.ZipFile(io.BytesIO(readers.sparse_file(ids, rows, scaled))) as archive:
            contents.append({name: archive.read(name) for name in archive.namelist()})

    def problem(data):
        choice = data[0] if data else 0
        members = dict(contents[choice & 1])
        names = sorted(members)
        members[names[(choice >> 2) % len(names)]] = data[1:]
        path = root / "x.npz"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                packing = zipfile.ZIP_DEFLATED if choice & 2 else zipfile.ZIP_STORED
                archive.writestr(zipfile.ZipInfo(name), content, packing)
        return readers.problem_of(path, ReadOptions())

    seeds = []
    for scaled, members in enumerate(contents):
        for number, name in enumerate(sorted(members)):
            first = scaled | number << 2
            seeds += [bytes([first | packed]) + members[name] for packed in (0, 2)]
    return Target(seeds, problem)


def word_vectors(root):
    """Tables in one file: word2vec, GloVe, fastText, archives."""
    sources = [path for path, _ in vector_files.seed_tables(_folder(root / "seeds"))]
    files = [path for path in sources if path.is_file()]

    def problem(data):
        path = root / "table"
        path.write_bytes(data[1:])
        options = [{}, {"top_n": 3}, {"only": ["cat", "nowhere"]}][data[0] % 3 if data else 0]
        return vector_files.problem_of(path, options)

    return Target([b"\0" + path.read_bytes() for path in files], problem)


def _in_folder(source, root, seal, read):
    """Return a target that replaces one file of a folder."""
    files = sorted(path for path in source.rglob("*") if path.is_file())
    files = [path for path in files if path.name not in ("README.md", "write.lock")]
    names = [path.relative_to(source) for path in files]
    folder = root / "mutated"

    def problem(data):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder)
        (folder / names[data[0] % len(names) if data else 0]).write_bytes(data[1:])
        with contextlib.suppress(Exception):  # the forgery left nothing to put right
            seal(folder)
        return read_safely(lambda: read(folder), folder.name)

    return Target([bytes([i]) + path.read_bytes() for i, path in enumerate(files)], problem)


def folders_of_vectors(root):
    """Our own folder of word vectors, with n-grams."""
    vector_files.seed_tables(_folder(root / "seeds"))

    def read(folder):
        table = WordVectors.load(folder)
        built = [table.vector(word) for word in vector_files.ASKED]
        return np.concatenate(
            [np.array(table.matrix).ravel(), *(b for b in built if b is not None)]
        )

    return _in_folder(root / "seeds" / "ours-ngrams", root, vector_files._seal, read)


def tokenizers(root):
    """A static table with the tokenizer of its pieces."""
    vector_files.seed_tables(_folder(root / "seeds"))

    def read(folder):
        table = WordVectors.load(folder)
        built = [table.vector(word) for word in vector_files.ASKED]
        return np.concatenate([np.zeros(1), *(b for b in built if b is not None)])

    return _in_folder(root / "seeds" / "static", root, lambda folder: None, read)


def seal(folder):
    """Put the checksums of a model, a classifier or of groups right."""
    path = folder / "config.json"
    if (folder / "model").is_dir():
        with contextlib.suppress(Exception):
            seal(folder / "model")
    config = json.loads(path.read_bytes())
    if (folder / "model").is_dir():
        config["model"] = json.loads((folder / "model" / "config.json").read_bytes())["checksum"]
    for name in config["files"]:
        config["files"][name] = fingerprint(folder / name)
    config["checksum"] = config_checksum(config)
    path.write_text(json.dumps(config))


def _model():
    settings = {"n_topics": 2, "n_dims": 5, "word_columns": 0.3, "random_state": 0}
    return PSIF(corpora.vectors(), **settings).fit(corpora.texts(30))


def models(root):
    """Saved models."""
    _model().save(root / "saved")

    def read(folder):
        model = PSIF.load(folder)
        model.topics()
        model.explain(TEXTS[0], TEXTS[1])
        return model.transform(TEXTS)

    return _in_folder(root / "saved", root, seal, read)


def classifiers(root):
    """Saved classifiers."""
    labels = ["ab"[i % 2] for i in range(30)]
    PSIFClassifier(_model(), random_state=0).fit(corpora.texts(30), labels).save(root / "saved")

    def read(folder):
        clf = PSIFClassifier.load(folder)
        clf.predict(TEXTS)
        clf.explain(TEXTS[0])
        clf.describe()
        return clf.predict_proba(TEXTS)

    return _in_folder(root / "saved", root, seal, read)


def groups(root):
    """Saved groups."""
    find_groups(_model(), corpora.texts(40), 2).save(root / "saved")

    def read(folder):
        found = Groups.load(folder)
        assigned = found.assign(TEXTS)
        found.explain(TEXTS[0])
        str(found)
        json.dumps(found.to_dict())
        return assigned.cosines

    return _in_folder(root / "saved", root, seal, read)


def seal_index(folder):
    """Put the checksums of an index right."""
    from psif.search import manifest
    from psif.search.array_files import describe

    def put(node, place):
        if isinstance(node, dict):
            if {"name", "size", "crc32"} <= node.keys():
                node.update(describe(place / node["name"]))
            for key, inside in node.items():
                put(inside, place / node["model"] if key == "config" else place)
        elif isinstance(node, list):
            for inside in node:
                put(inside, place)

    path = folder / manifest.MANIFEST
    content = json.loads(path.read_bytes())
    with contextlib.suppress(Exception):
        seal(folder / content["space"]["model"])
    with contextlib.suppress(Exception):
        put(content, folder)
    content.pop("check", None)
    path.write_text(json.dumps({**content, "check": manifest._check(content)}))


def indexes(root):
    """Search indexes."""
    index = Index.build(
        corpora.texts(20),
        metadata=[{"n": i, "kind": "ab"[i % 2]} for i in range(20)],
        model=_model(),
    )
    index.save(root / "saved")
    index.delete(["3"])
    index.save(root / "saved")

    def read(folder):
        index = Index.load(folder)
        hits = index.search("the ship and the cat", k=3)
        with contextlib.suppress(PsifError):  # metadata may have become of another type
            hits += index.search("stock", where="n > 5 and kind != 'a'")
        for hit in hits[:1]:
            index.explain("the ship", hit.id).to_dict()
        return np.array([hit.score for hit in hits])

    return _in_folder(root / "saved", root, seal_index, read)


def packed_tables(root):
    """Tables of words in one file, as the package carries one."""
    rng = np.random.default_rng(0)
    words = [f"word{i}" for i in range(6)]
    rows = rng.standard_normal((6, 3)).astype(np.float32)
    table = PackedTable(
        words, rows, np.arange(1, 7), rng.random((6, 2)).astype(np.float32),
        rows[:2], np.array([[0, 1], [2, -1]], np.int32), np.ones((2, 2), np.float32),
        np.full(2, 0.5, np.float32), {"teacher": "none"},
    )  # fmt: skip
    write_packed(root / "seed", table)

    def problem(data):
        path = root / "packed.safetensors"
        path.write_bytes(data[1:])

        def read():
            table = read_packed(path)
            arrays = (table.vectors, table.codes, table.atoms, table.topic_scores)
            return np.concatenate([a.ravel() for a in (*arrays, table.topic_means)])

        return read_safely(read, path.name)

    return Target([b"\0" + (root / "seed").read_bytes()], problem)


def configs(root):
    """``psif.toml``."""
    from psif.cli.main import psif

    def problem(data):
        path = root / "psif.toml"
        path.write_bytes(data[1:])
        named = bool(data and data[0] & 1)

        def read():
            tables, _ = load_config(path, list(psif.commands), named=named)
            assert named or not any({"cluster", "host"} & table.keys() for table in tables.values())

        return read_safely(read, path.name)

    return Target([b"\0" + TOML, b"\1" + TOML], problem)


TARGETS = {
    "documents": documents,
    "sparse-vectors": sparse_vectors,
    "word-vectors": word_vectors,
    "folders-of-vectors": folders_of_vectors,
    "tokenizers": tokenizers,
    "models": models,
    "classifiers": classifiers,
    "groups": groups,
    "indexes": indexes,
    "packed-tables": packed_tables,
    "configs": configs,
}
