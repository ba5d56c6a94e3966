"""Find out what a file of word vectors is, and read it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from psif.errors import FormatError, InputError, MissingExtraError
from psif.types import FloatMatrix
from psif.vectors.readers import fasttext, folder, static, text, word2vec_binary
from psif.vectors.readers.damage import damage_named
from psif.vectors.readers.source import locate, open_bytes
from psif.vectors.readers.word_filter import Wanted
from psif.vectors.ready import is_ready, ready_table
from psif.vectors.row_checks import RowChecks
from psif.vectors.subwords import Subwords

FORMATS = ("text", "word2vec-binary", "fasttext", "folder", "static", "gensim")


class Loaded(NamedTuple):
    """What a reader found; ``checks`` where the numbers have not been looked at yet."""

    words: list[str]
    matrix: FloatMatrix
    subwords: Subwords | None = None
    checks: RowChecks | None = None


def load(
    path: str | Path,
    *,
    top_n: int | None = None,
    only: Iterable[str] | None = None,
    format: str | None = None,
    trust: bool = False,
) -> Loaded:
    """Read word vectors of any known format; see :meth:`psif.WordVectors.load`."""
    wanted = Wanted(top_n, only)
    if format is not None and format not in FORMATS:
        raise InputError(f"no format is called {format!r}. Formats: {', '.join(FORMATS)}.")
    if str(path) == "wordllama" and not Path(path).exists():
        return _read_wordllama(wanted)
    if is_ready(path):
        return _read_ready(str(path), wanted)
    place = locate(path)
    with damage_named(place):
        kind = format or detect(place)
        if kind != "gensim":
            return _read(place, kind, wanted)
    return _read_gensim(place, wanted, trust)


def _read(place: Path, kind: str, wanted: Wanted) -> Loaded:
    if kind == "folder":
        return Loaded(*folder.read_folder(place, wanted))
    if kind == "static":
        return _read_static(place, wanted)
    if kind == "fasttext":
        matrix, ngrams = fasttext.read_fasttext(place, wanted)
        return Loaded(wanted.words, matrix, ngrams)
    read = text.read_text if kind == "text" else word2vec_binary.read_word2vec_binary
    return Loaded(wanted.words, read(place, wanted))


def is_source(path: str | Path) -> bool:
    """Whether ``path`` names something that :func:`load` would try to open."""
    if str(path) == "wordllama" or is_ready(path):
        return True
    try:
        locate(path)
    except InputError:
        return False
    return True


def detect(path: Path) -> str:
    """Name the format by looking at the content, never at the ending."""
    if path.is_dir():
        if folder.is_folder_format(path):
            return "folder"
        if static.find_static(path) is not None:
            return "static"
        names = ", ".join(sorted(p.name for p in path.iterdir())[:10])
        raise FormatError(
            f"the folder {path} holds no word vectors: expected {folder.MATRIX} and "
            f"{folder.WORDS}, or model.safetensors with a token table and tokenizer.json. "
            f"It holds: {names or 'nothing'}."
        )
    with open_bytes(path) as stream:
        start = stream.read(4096)
    if start.startswith(fasttext.MAGIC):
        return "fasttext"
    if start[:1] == b"\x80" and start[1:2] in b"\x02\x03\x04\x05":
        return "gensim"
    first, _, rest = start.partition(b"\n")
    if text.parse_header(first) is not None:
        # The numbers of the first row are plain characters in the text format only.
        numbers = rest.partition(b" ")[2][:200]
        return "text" if _is_text(numbers) else "word2vec-binary"
    if not start:
        raise FormatError(f"{path} is empty.")
    if b"\0" in start:
        raise FormatError(
            f"{path} is of no known format; it begins with {start[:16]!r}. "
            f"Formats: {', '.join(FORMATS)}."
        )
    return "text"


def _is_text(raw: bytes) -> bool:
    return all(byte in b"0123456789+-.eE \t\r\n" for byte in raw.partition(b"\n")[0])


def _read_static(place: Path, wanted: Wanted) -> Loaded:
    found = static.find_static(place) if place.is_dir() else None
    if found is None:
        raise FormatError(
            f"{place} is no folder with a token table (model.safetensors) and its tokenizer.json."
        )
    matrix, pieces = static.read_static(*found, wanted)
    return Loaded(wanted.words, matrix, pieces)


def _read_wordllama(wanted: Wanted) -> Loaded:
    place = static.installed_wordllama()
    if place is None:
        raise MissingExtraError("wordllama", "wordllama", "the vectors 'wordllama'")
    return _read_static(place, wanted)


def _read_ready(name: str, wanted: Wanted) -> Loaded:
    table = ready_table(name)
    kept = [row for row, word in enumerate(table.words) if wanted.take(word, row, name, "row")]
    wanted.require(name)
    return Loaded(wanted.words, table.vectors[kept])


def _read_gensim(place: Path, wanted: Wanted, trust: bool) -> Loaded:
    if not trust:
        raise FormatError(
            f"{place} looks like a gensim file, which is a pickle: opening one can run any code. "
            "If you trust its origin pass trust=True (needs gensim), or export it with "
            "keyed_vectors.save_word2vec_format(path, binary=True)."
        )
    try:
        from gensim.utils import SaveLoad
    except ImportError as error:
        raise MissingExtraError("gensim", "gensim", "reading a gensim file") from error
    return from_keyed_vectors(SaveLoad.load(str(place), mmap="r"), wanted)


def from_keyed_vectors(obj: Any, wanted: Wanted | None = None) -> Loaded:
    """Take words and vectors of a gensim KeyedVectors or a model that has one."""
    keyed = getattr(obj, "wv", obj)
    words, matrix = getattr(keyed, "index_to_key", None), getattr(keyed, "vectors", None)
    if words is None or matrix is None:
        raise InputError(
            f"expected a WordVectors or a gensim KeyedVectors; got {type(obj).__name__}."
        )
    if wanted is None or not wanted.limited:
        return Loaded(list(words), matrix)
    rows = []
    for row, word in enumerate(words):
        if wanted.complete:
            break
        if wanted.take(word, row, "the gensim vectors", "row"):
            rows.append(row)
    wanted.require("the gensim vectors")
    return Loaded(wanted.words, matrix[rows])
