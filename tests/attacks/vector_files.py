"""Mutated word vectors of every format: a load gives a sound table, or an error of psif.

*Accidents* change bytes of a file. *Forgeries* change a value where a format keeps one: counts and
sizes of binary headers, JSON of a tokenizer or of a safetensors header, and put the checksums of a
folder of ours right again. Whatever was changed, a table that loads has distinct words and finite
numbers, in the table and in words built from pieces; and an accident in a folder of ours that has
checksums is noticed, or changes nothing.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import shutil
import struct
import tempfile
import warnings
import zipfile
from pathlib import Path

import numpy as np

from psif import PsifError, WordVectors
from tests.attacks.readers import mutated, time_limit
from tests.vectors import writers

SECONDS = 20
WORDS = ["the", "cat", "Größe", "漢字", "sea", "new_york", "a", "ship"]
ASKED = ["cat", "cats", "unheard", "漢", "x" * 300]
NUMBERS = [0, 1, -1, 2, 7, 255, 2**16, 2**31 - 1, -(2**31), 10**6]
VALUES = [None, True, 0, -1, 2**63, 1e308, "", "x", "[UNK]", [], [1], {}, {"a": 1}, [[]], "F64"]


def attack(n_mutations, seed=0):
    """Load mutated tables; return how many, and what went wrong."""
    chance = random.Random(seed)
    failures = []
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("error")
        seeds = seed_tables(Path(name))
        for number in range(n_mutations):
            source, forge = chance.choice(seeds)
            target = Path(name) / f"mutated{source.suffix}"
            _copy(source, target)
            what = mutate(target, forge, chance, [other for other, _ in seeds])
            whole = _content(source) if what.startswith("accident") and _is_ours(source) else None
            problem = problem_of(target, load_options(chance), whole)
            if problem:
                what = f"{source.name}, {what}"
                failures.append(f"mutation {number} of seed {seed} ({what}): {problem}")
    return n_mutations, failures


def load_options(chance):
    return chance.choice([{}, {}, {"top_n": 3}, {"only": ["cat", "nowhere"]}])


def problem_of(path, options=None, whole=None):
    """Load and use a table; return what is wrong about it, or None."""
    options = options or {}
    try:
        with time_limit(SECONDS):
            table = WordVectors.load(path, **options)
            matrix = np.array(table.matrix)
            built = [table.vector(word) for word in ASKED]
    except PsifError as error:
        return None if path.name in str(error) else f"the error does not name the file: {error}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    if len(set(table.words)) != len(table.words) or matrix.shape != (len(table), table.dim):
        return "words are doubled, or do not fit the rows"
    if not all(isinstance(word, str) and word for word in table.words):
        return "a word is empty"
    for numbers in [matrix, *(vector for vector in built if vector is not None)]:
        if not np.isfinite(numbers).all():
            return "numbers are not finite"
    if whole is not None:
        words, rows = whole
        places = [words.index(word) for word in table.words]
        if (not options and table.words != words) or not np.array_equal(matrix, rows[places]):
            return "the table changed silently"
    return None


def seed_tables(root):
    """Sound tables of every format: their place, and how to forge them."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((len(WORDS), 3)).astype(np.float32)
    table = rng.standard_normal((len(WORDS) + 10, 3)).astype(np.float32)
    text = writers.word2vec_text(WORDS, rows)
    binary = writers.word2vec_binary(WORDS, rows)
    fast = writers.fasttext_bin(WORDS, table, bucket=10, minn=2, maxn=4)
    files = {
        "word2vec.txt": (text, _forge_text),
        "glove.txt": (writers.word2vec_text(WORDS, rows, header=False), _forge_text),
        "word2vec.bin": (binary, _forge_text),
        "plain.bin": (writers.word2vec_binary(WORDS, rows, newline=b""), _forge_text),
        "fasttext.model": (fast, _forge_fasttext),
        "words.gz": (gzip.compress(text, mtime=0), None),
        "fasttext.gz": (gzip.compress(fast, mtime=0), None),
        "words.zip": (_zipped({"words.txt": text}), None),
        "binary.zip": (_zipped({"words.bin": binary}, zipfile.ZIP_STORED), None),
        "pickle.kv": (b"\x80\x04\x95" + bytes(60), None),
    }
    for name, (content, _) in files.items():
        (root / name).write_bytes(content)
    WordVectors(WORDS, rows).save(root / "ours")
    (root / "bare").mkdir()
    np.save(root / "bare" / "vectors.npy", rows)
    (root / "bare" / "vocab.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    WordVectors.load(root / "fasttext.model").save(root / "ours-ngrams")
    _save_static(root / "static", rng)
    WordVectors.load(root / "static").save(root / "ours-pieces")
    folders = {
        "ours": _forge_folder, "ours-ngrams": _forge_folder, "ours-pieces": _forge_folder,
        "bare": _forge_folder, "static": _forge_folder,
    }  # fmt: skip
    return [
        *((root / name, forge) for name, (_, forge) in files.items()),
        *((root / name, forge) for name, forge in folders.items() for _ in range(2)),
    ]


def _save_static(folder, rng):
    folder.mkdir()
    tokens = ["[UNK]", "cat", "##s", "sea", "the", "un", "##heard", "漢"]
    rows = rng.standard_normal((len(tokens), 3)).astype(np.float32)
    mapping = np.arange(len(tokens), dtype=np.int64)
    weights = np.ones(len(tokens), dtype=np.float32)
    path = folder / "model.safetensors"
    writers.safetensors(path, embeddings=rows, mapping=mapping, weights=weights)
    (folder / "tokenizer.json").write_text(writers.wordpiece_json(tokens), encoding="utf-8")


def _zipped(files, compression=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def _copy(source, target):
    if target.is_dir():
        shutil.rmtree(target)
    elif target.exists():
        target.unlink()
    (shutil.copytree if source.is_dir() else shutil.copy)(source, target)


def _is_ours(path):
    return path.name.startswith("ours")


def _content(path):
    table = WordVectors.load(path)
    return table.words, np.array(table.matrix)


def mutate(target, forge, chance, others):
    """Change a file or a folder; return what was done."""
    if forge is not None and chance.random() < 0.5:
        return f"forged {forge(target, chance)}"
    path = target
    if target.is_dir():
        path = chance.choice([p for p in sorted(target.iterdir()) if p.name != "README.md"])
        if chance.random() < 0.03:
            path.unlink()
            return f"accident: without {path.name}"
    foreign = [other.read_bytes() for other in others if other.is_file()]
    path.write_bytes(mutated(path.read_bytes(), chance, foreign))
    return f"accident in {path.name}"


def _forge_text(target, chance):
    """Change a count, a number or the separator of a line."""
    first, mark, rest = target.read_bytes().partition(b"\n")
    if chance.random() < 0.5:
        first = b" ".join(str(chance.choice(NUMBERS)).encode() for _ in range(2))
    else:
        word = chance.choice([b"nan", b"inf", b"1e400", b"1e39", b"0x1p3", b"1_0", b"-", b"1,5"])
        parts = rest.split(b" ")
        parts[chance.randrange(len(parts))] = word
        rest = b" ".join(parts)
    target.write_bytes(first + mark + rest)
    return repr(first[:40])


def _forge_fasttext(target, chance):
    """Change one of the numbers in the header, or the shape of the matrix."""
    data = bytearray(target.read_bytes())
    words = sum(len(word.encode()) + 10 for word in WORDS)
    places = [4, *range(8, 56, 4), 64, 68, 72]
    place = chance.choice(places)
    if chance.random() < 0.8:
        struct.pack_into("<i", data, place, chance.choice(NUMBERS))
    else:
        place = chance.choice([76, 84, 92 + words + 1, 92 + words + 9])
        struct.pack_into("<q", data, place, chance.choice([*NUMBERS, 2**62, -(2**62), 2**40]))
    target.write_bytes(data)
    return f"number at {place}"


def _forge_folder(target, chance):
    """Change a file of a folder with knowledge of its format, and put its checksums right."""
    paths = [path for path in sorted(target.iterdir()) if path.name != "README.md"]
    path = chance.choice(paths)
    what = path.name
    if path.suffix == ".json":
        what += f" {_forge_json(path, chance)}"
    elif path.suffix == ".safetensors":
        what += f" {_forge_header(path, chance)}"
    elif path.suffix == ".npy":
        what += f" {_forge_npy(path, chance)}"
    else:
        lines = path.read_text(encoding="utf-8").split("\n")
        place = chance.randrange(len(lines))
        lines[place] = chance.choice(["", "cat", "\x85", "a\u2028b", "\0", " ", "z" * 70_000])
        path.write_text("\n".join(lines), encoding="utf-8")
    _seal(target)
    return what


def _forge_json(path, chance):
    value = json.loads(path.read_text(encoding="utf-8"))
    done = _change(value, chance)
    path.write_text(json.dumps(value), encoding="utf-8")
    return done


def _forge_header(path, chance):
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    done = _change(header, chance)
    head = json.dumps(header).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + data[8 + length :])
    return done


def _forge_npy(path, chance):
    rows = np.load(path)
    kind = chance.choice(["value", "dtype", "shape", "order"])
    if kind == "value" and rows.size:
        rows.reshape(-1)[chance.randrange(rows.size)] = chance.choice([np.nan, np.inf, 0, 65504])
    elif kind == "dtype":
        rows = rows.astype(chance.choice([np.float64, np.int64, np.complex64, np.bool_, "U3"]))
    elif kind == "shape":
        rows = chance.choice([rows.reshape(-1), rows[:-1], rows[:, :0], rows[:0], rows[None]])
    else:
        rows = np.asfortranarray(rows)
    np.save(path, rows)
    return kind


def _change(value, chance):
    """Change one value somewhere in JSON."""
    node, keys = value, []
    while isinstance(node, dict | list) and node:
        key = chance.choice(list(node)) if isinstance(node, dict) else chance.randrange(len(node))
        keys.append(key)
        inside = node[key]
        if not (isinstance(inside, dict | list) and inside) or chance.random() < 0.15:
            if chance.random() < 0.15:
                del node[key]
                return f"without {keys}"
            node[key] = chance.choice(VALUES)
            return f"{keys} = {node[key]!r}"
        node = inside
    return "nothing"


def _seal(folder):
    """Put the checksums of a folder of ours right, as far as they still have their place."""
    from psif.vectors.readers import folder as ours

    path = folder / ours.MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        for name in manifest["files"]:
            manifest["files"][name] = ours._described(folder / name)
        manifest.pop("checksum", None)
        manifest["checksum"] = ours._checksum_of(manifest)
    except Exception:  # no folder of ours, or the forgery left nothing to put right
        return
    path.write_text(json.dumps(manifest), encoding="utf-8")
