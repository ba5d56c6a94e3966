"""The measurements themselves: each runs in a process of its own and returns plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.sizes import Size

if TYPE_CHECKING:
    from benchmarks.corpora import LabelledCorpus

# Kind of measurement to the function that makes it.
_PLACES = {
    "vectors": "preparation:train",
    "table": "preparation:distil",
    "fit": "fit:fit",
    "embed": "embed:embed",
    "start": "start:start",
    "score": "score:classify",
    "sts": "score:similarity",
    "dictionary": "dictionary:learn",
    "growth": "growth:documents",
    "axis": "growth:axis",
    "roofline": "roofline:roofline",
    "corpus growth": "growth:corpus",
    "large dictionary": "dictionary:large",
    "command": "command_line:embed",
    "command documents": "command_line:documents",
    "command start": "command_line:start",
    "tokenizing": "tokenizing:tokenize",
    "trainer": "trainers:score",
    "trainer reuters": "trainers:score_reuters",
    "trainer growth": "trainers:growth",
    "trainer whole": "trainers:whole",
    "large vocabulary": "trainers:large_vocabulary",
    "classify": "classify:label",
    "classify few": "classify:few",
    "classify growth": "classify:growth",
    "cluster fit": "cluster:fit",
    "cluster transform": "cluster:transform",
    "cluster memory": "cluster:memory",
    "cluster tasks": "cluster:tasks",
}


@dataclass(frozen=True)
class Context:
    """What every measurement knows.

    Attributes
    ----------
    workspace : Path
        Folder for models and tables that measurements share.
    size : Size
    threads : int
    spawned : float
        ``time.monotonic()`` of the parent just before this process began.
    """

    workspace: Path
    size: Size
    threads: int
    spawned: float

    def corpus(self) -> LabelledCorpus:
        """Return the documents of this size."""
        from benchmarks.corpora import labelled_corpus

        return labelled_corpus(self.size.share, self.workspace)

    def corpus_files(self) -> list[Path]:
        """Return files with the same documents."""
        from benchmarks.corpora import corpus_files

        return corpus_files(self.size.share, self.workspace)

    def model_folder(self, peer: str) -> Path:
        """Return where the fitted model of a peer is kept."""
        return self.workspace / "models" / peer


def find_job(kind: str) -> Callable[..., dict[str, Any]]:
    """Return the function that measures ``kind``."""
    module, _, name = _PLACES[kind].partition(":")
    found: Callable[..., dict[str, Any]] = getattr(import_module(f"benchmarks.jobs.{module}"), name)
    return found
