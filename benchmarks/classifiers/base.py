"""The interface that every classifier has for the measurements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from benchmarks.requirements import missing_package

SEED = 0


class LabelPeer:
    """One way to label documents; all choices are made on training documents.

    Attributes
    ----------
    title : str
    packages : tuple of str
        Distributions it needs.
    vectors_from : str or None
        Another measurement that makes its table.
    uses_unlabelled : bool
        Whether ``fit`` learns from texts without labels.
    """

    title: ClassVar[str]
    packages: ClassVar[tuple[str, ...]] = ()
    vectors_from: ClassVar[str | None] = None
    uses_unlabelled: ClassVar[bool] = False

    def __init__(self, workspace: Path, threads: int) -> None:
        self.workspace, self.threads = workspace, threads

    @classmethod
    def skip_reason(cls) -> str | None:
        """Say why it cannot be measured on this machine, if so."""
        return missing_package(*cls.packages)

    def fit(
        self, texts: Sequence[str], labels: Sequence[str], unlabelled: Sequence[str] = ()
    ) -> None:
        """Learn from raw texts."""
        raise NotImplementedError

    def predict(self, texts: Sequence[str]) -> list[str]:
        """Labels of raw texts."""
        raise NotImplementedError

    def save(self, folder: Path) -> None:
        """Write the model as a user would."""
        raise NotImplementedError

    def load(self, folder: Path) -> bool:
        """Read what :meth:`save` wrote; False where that cannot change a label."""
        return False
