"""One call that loads any model."""

from __future__ import annotations

from pathlib import Path

from psif.model.embedder import Embedder


def load(name_or_path: str | Path) -> Embedder:
    """Load a model: the one inside the package by its name, or a folder that a model was saved to.

    The result does everything that a fitted :class:`psif.PSIF` does, without scikit-learn, whose
    import takes longer than loading; for pipelines use ``PSIF.load(name_or_path)``.

    Parameters
    ----------
    name_or_path : str or Path
        "english", for English texts without fitting; or the folder of a saved model.

    Examples
    --------
    >>> import psif
    >>> english = psif.load("english")
    >>> near = english.similarity("A man plays the guitar.", "Someone is playing an instrument.")
    >>> far = english.similarity("A man plays the guitar.", "The stock market fell again.")
    >>> near > far + 0.2
    True
    """
    return Embedder.load(name_or_path)
