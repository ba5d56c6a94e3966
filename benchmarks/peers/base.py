"""The interface that every peer has for the measurements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from benchmarks.requirements import missing_package
from benchmarks.sizes import Size

SEED = 0


def installed_folder(module: str) -> Path:
    """Return the folder of an installed package, without importing it."""
    from importlib.util import find_spec

    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


class Peer:
    """One way to get vectors of documents.

    Attributes
    ----------
    name, title : str
    packages : tuple of str
        Distributions it needs, the telling one first.
    modules : tuple of str
        What a user imports, ``"module"`` or ``"module:attribute"``.
    learns : bool
        Whether it learns from the corpus; others are tables made elsewhere.
    truncates : str or None
        What it silently leaves unread of long documents.
    vectors_from : str or None
        Another measurement that trains its word vectors.
    fits_alone : bool
        Whether to fit it with one thread too; some take minutes.
    workspace : Path
        Folder of things that measurements share.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    packages: ClassVar[tuple[str, ...]] = ()
    modules: ClassVar[tuple[str, ...]] = ()
    learns: ClassVar[bool] = True
    truncates: ClassVar[str | None] = None
    vectors_from: ClassVar[str | None] = None
    fits_alone: ClassVar[bool] = True

    def __init__(self, workspace: Path, size: Size) -> None:
        self.workspace = workspace
        self.size = size

    @classmethod
    def all_settings(cls) -> dict[str, Any]:
        """Give the settings that its own file does not hold, to tell old measurements by."""
        return {}

    @classmethod
    def skip_reason(cls) -> str | None:
        """Say why it cannot be measured on this machine, if so."""
        return missing_package(*cls.packages)

    @property
    def earlier_seconds(self) -> float:
        """Training that went before :meth:`fit`, in another measurement."""
        return 0.0

    def fit(self, texts: Sequence[str]) -> None:
        """Learn from documents, or open what was learned elsewhere."""
        raise NotImplementedError

    def embed(self, texts: Sequence[str]) -> Any:
        """Vectors of documents, whole."""
        raise NotImplementedError

    def transform(self, texts: Sequence[str]) -> Any:
        """:meth:`embed`, under the name that scoring calls."""
        return self.embed(texts)

    def save(self, folder: Path) -> None:
        """Write the model as a user would."""
        raise NotImplementedError

    def load(self, folder: Path) -> None:
        """Read what :meth:`save` wrote."""
        raise NotImplementedError
