"""The model of an index for which none was given."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from psif.errors import InputError, PsifWarning
from psif.files.sampling import sample_texts
from psif.model.embedder import Embedder
from psif.search.languages import little_words
from psif.text.tokenizer import Tokenizer
from psif.vectors.progress import Progress

# Characters that a model is learned from: more of the same texts add little.
_MOST_CHARACTERS = 30_000_000
_MOST_WORDS = 65_536


def learn_model(
    texts: Iterable[str], language: str, *, n_jobs: int | None, progress: Progress | None
) -> Embedder | None:
    """Learn a model from (a sample of) the documents; None if there is nothing to learn.

    The preset "retrieval", with words of any script, without the stop words of the language, and
    with the counts of words as they are; docs/research.md has what other settings do.
    """
    sample = sample_texts(texts, _MOST_CHARACTERS, seed=0)
    english = language == "english"
    tokenizer = Tokenizer(
        stop_words="english" if english else little_words(language), min_length=2 if english else 1
    )
    model = Embedder.from_preset(
        "retrieval",
        tokenizer=tokenizer,
        counts="raw",
        train_options={"max_words": _MOST_WORDS},
        random_state=0,
        n_jobs=n_jobs,
    )
    with warnings.catch_warnings():
        # Settings that nobody chose are no news where few texts allow only less.
        warnings.simplefilter("ignore", PsifWarning)
        try:
            return model.fit(sample, progress=progress)
        except InputError:
            # Too few words for vectors, for example in one document: words alone are searched.
            return None
