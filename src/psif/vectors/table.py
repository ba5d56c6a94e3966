"""A table of words and their vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from psif.errors import FormatError, InputError
from psif.text.checks import check_texts
from psif.text.tokenizer import Tokenizer
from psif.types import FloatMatrix, FloatVector
from psif.vectors.row_checks import nonfinite_rows

if TYPE_CHECKING:
    from psif.vectors.loading import Loaded
    from psif.vectors.progress import Progress
    from psif.vectors.row_checks import RowChecks
    from psif.vectors.subwords import Subwords


class WordVectors:
    """Words and their vectors, row for row.

    Parameters
    ----------
    words : sequence of str
        No word twice.
    matrix : array-like of shape (n_words, dim)
        Finite numbers. Kept as it is when it is a float32 or float16 array (also memory-mapped).
    subwords : Subwords or None
        What builds vectors for words outside the table, as fastText's n-grams do.
    """

    def __init__(
        self, words: Sequence[str], matrix: ArrayLike, *, subwords: Subwords | None = None
    ) -> None:
        self.words: list[str] = list(words)
        self._matrix: FloatMatrix = _as_float_matrix(matrix)
        # Checks that a mapped table still needs before its rows are used.
        self._checks: RowChecks | None = None
        self.subwords = subwords
        self._check_words()
        self._check_finite()

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        top_n: int | None = None,
        only: Iterable[str] | None = None,
        format: str | None = None,
        trust: bool = False,
    ) -> WordVectors:
        """Read word vectors from a file or folder.

        Word2vec text and binary, GloVe, fastText ``.vec`` and ``.bin``, a model2vec or
        sentence-transformers static folder, a folder of ``vectors.npy`` and ``vocab.txt`` (our
        own), each file also gzip'd or in a zip; ``"english"`` is the table inside psif, and
        ``"wordllama"`` that of the installed package of this name.

        Parameters
        ----------
        path : str or Path
            One file of a larger zip is named as ``glove.zip/glove.100d.txt``.
        top_n : int or None
            Read only the first words of the file, the most frequent in nearly every format.
        only : iterable of str or None
            Keep only these words. What is not kept never fills memory.
        format : str or None
            Found by looking into the file; give it when that fails ("text", "word2vec-binary",
            "fasttext", "folder", "static", "gensim").
        trust : bool, default=False
            Open gensim's own files, which are pickles and can run any code.
        """
        from psif.vectors.loading import load

        loaded = load(path, top_n=top_n, only=only, format=format, trust=trust)
        try:
            return cls._of(loaded)
        except InputError as error:
            raise FormatError(f"{path}: {error}") from error

    @classmethod
    def from_object(cls, obj: Any) -> WordVectors:
        """Take a WordVectors as it is, or the vectors of a gensim KeyedVectors or model."""
        from psif.vectors.loading import from_keyed_vectors

        return obj if isinstance(obj, WordVectors) else cls._of(from_keyed_vectors(obj))

    @classmethod
    def train(
        cls,
        texts: Iterable[str],
        method: str = "ppmi",
        *,
        dim: int = 200,
        min_count: int | None = 5,
        max_words: int | None = None,
        max_doc_share: float = 1.0,
        tokenizer: str | Tokenizer | None = None,
        phrases: int = 0,
        random_state: int | None = None,
        n_jobs: int | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> WordVectors:
        """Cut texts into words, keep the frequent ones and train vectors for them.

        Parameters
        ----------
        texts : iterable of str
        method : str, default="ppmi"
            A trainer of :data:`psif.vectors.trainers.TRAINERS`.
        dim : int, default=200
        min_count, max_words, max_doc_share
            Which words get a vector, see :func:`psif.text.pruning.prune`. Other words are skipped;
            they leave no gap in a window.
        tokenizer : str, Tokenizer or None
            A preset, a regular expression or a tokenizer; None is "words".
        phrases : int, default=0
            Rounds of joining frequent pairs of words: 1 gives ``new_york``, 2 also longer ones.
        random_state, n_jobs, progress, **options
            As in :func:`psif.vectors.trainers.train_on_ids`.
        """
        from psif.text.phrases import count_with_phrases
        from psif.text.pruning import prune
        from psif.vectors.trainers import check_options, train_on_ids

        texts = check_texts(texts)
        check_options(method, options)
        _, vocabulary, docs = count_with_phrases(
            texts, Tokenizer.of(tokenizer or "words"), phrases, n_jobs=n_jobs
        )
        vocabulary, docs = prune(
            vocabulary, docs, min_count=min_count, max_words=max_words, max_doc_share=max_doc_share
        )
        matrix = train_on_ids(
            method, docs, vocabulary, dim=dim, random_state=random_state, n_jobs=n_jobs,
            progress=progress, **options,
        )  # fmt: skip
        return cls(vocabulary.words, matrix)

    @classmethod
    def _of(cls, loaded: Loaded) -> WordVectors:
        if loaded.checks is None:
            return cls(loaded.words, loaded.matrix, subwords=loaded.subwords)
        # A folder that save() wrote: looking at every number now would read the whole file.
        table = cls.__new__(cls)
        table.words, table._matrix, table.subwords = loaded.words, loaded.matrix, loaded.subwords
        table._checks = loaded.checks
        table._check_words()
        return table

    @property
    def matrix(self) -> FloatMatrix:
        """The vectors, shape (n_words, dim); those of a saved folder are memory-mapped.

        The first use reads such a folder once and compares it with its checksums.
        """
        if self._checks is not None:
            self._checks.check_all()
            self._checks = None
        return self._matrix

    def save(self, path: str | Path) -> None:
        """Write a folder that loads in milliseconds; it appears whole or not at all.

        A folder of word vectors that psif wrote is replaced; any other folder is refused.
        """
        from psif.vectors.readers.folder import write_folder

        write_folder(Path(path), self.words, self.matrix, self.subwords)

    def vector(self, word: str) -> FloatVector | None:
        """Return the vector of ``word``: from the table, else built from subwords, else None."""
        if word in self.index:
            return self[word]
        if self.subwords is None or not word:
            return None
        from psif.vectors.subwords import vector_of

        return vector_of(self.subwords, word)

    def with_words(self, words: Iterable[str]) -> WordVectors:
        """Return this table with a row for each of these words that subwords can build."""
        missing = [word for word in dict.fromkeys(words) if word and word not in self.index]
        if self.subwords is None or not missing:
            return self
        built, possible = self.subwords.vectors(missing)
        new = [word for word, has in zip(missing, possible, strict=True) if has]
        matrix = np.concatenate([self.matrix, built[possible].astype(self.matrix.dtype)])
        return WordVectors([*self.words, *new], matrix, subwords=self.subwords)

    def select(self, words: Iterable[str]) -> WordVectors:
        """Return a table of just these words, each once, those without any vector left out.

        Words outside the table are built from subwords where the table has them, in one go: the
        way to give a whole corpus vocabulary its vectors.
        """
        asked = list(dict.fromkeys(words))
        rows = np.array([self.index.get(word, -1) for word in asked], dtype=np.int64)
        matrix = np.asarray(self.matrix[np.maximum(rows, 0)])
        found = rows >= 0
        missing = np.flatnonzero(~found)
        if self.subwords is not None and len(missing):
            built, possible = self.subwords.vectors([asked[i] for i in missing])
            matrix[missing] = built
            found[missing] = possible
        if not found.any():
            raise InputError(f"none of the {len(asked)} words has a vector in {self!r}.")
        kept = [word for word, has in zip(asked, found, strict=True) if has]
        return WordVectors(kept, matrix[found], subwords=self.subwords)

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self.index

    def __getitem__(self, word: str) -> FloatVector:
        place = self.index[word]
        if self._checks is not None:
            self._checks.check_rows([place])
        row: FloatVector = self._matrix[place]
        return row

    def __repr__(self) -> str:
        return f"WordVectors({len(self):,} words, {self.dim} dimensions)"

    @property
    def dim(self) -> int:
        """Numbers in one vector."""
        return int(self._matrix.shape[1])

    @cached_property
    def index(self) -> dict[str, int]:
        """Word to row."""
        return {word: i for i, word in enumerate(self.words)}

    def _check_words(self) -> None:
        if len(self.words) != len(self._matrix):
            raise InputError(
                f"{len(self.words)} words but {len(self._matrix)} vectors; "
                "each word needs exactly one vector."
            )
        if not self.words or not self.dim:
            raise InputError("a table of word vectors needs at least one word and one dimension.")
        plain = set(map(type, self.words)) == {str} and "" not in self.index
        for position, word in enumerate(() if plain else self.words):
            if not isinstance(word, str) or not word:
                raise InputError(f"word {position} is {word!r}, expected a non-empty string.")
        if len(self.index) != len(self.words):
            raise InputError(_describe_duplicates(self.words))

    def _check_finite(self) -> None:
        bad = nonfinite_rows(self._matrix)
        if len(bad):
            raise InputError(
                f"{len(bad)} word vectors hold NaN or infinity, the first is that of "
                f"{self.words[bad[0]]!r} (row {bad[0]}). Remove or repair those rows."
            )


def _as_float_matrix(matrix: ArrayLike) -> FloatMatrix:
    array = np.asanyarray(matrix)
    if array.ndim != 2:
        raise InputError(
            f"word vectors must be a 2-D table (words x dimensions); got shape {array.shape}."
        )
    if array.dtype not in (np.float32, np.float16):
        try:
            array = array.astype(np.float32)
        except (TypeError, ValueError) as error:
            raise InputError(f"word vectors must be numbers: {error}") from error
    return array


def _describe_duplicates(words: list[str]) -> str:
    seen: dict[str, int] = {}
    for position, word in enumerate(words):
        if word in seen:
            return (
                f"the word {word!r} stands twice, in rows {seen[word]} and {position}; "
                "keep one row per word."
            )
        seen[word] = position
    raise AssertionError("called without duplicates")
