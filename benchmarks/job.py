"""One measurement to make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Job:
    """One measurement.

    Attributes
    ----------
    name : str
        Words between slashes; ``--only`` selects by any of them.
    kind : str
        See :mod:`benchmarks.jobs`.
    arguments : dict
    threads : int
    packages : tuple of str
        Packages whose versions the result depends on.
    needs : tuple of str
        Names of jobs that must be done before.
    product : str or None
        File or folder that it leaves in the workspace for other jobs.
    costly : bool
        Takes many minutes and runs only on request.
    skip : str or None
        Why it cannot run on this machine.
    fresh : bool
        Compile all loops anew, as in the first run after an installation.
    settings : dict
        More that the result depends on.
    """

    name: str
    kind: str
    arguments: dict[str, Any]
    threads: int
    packages: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    product: str | None = None
    costly: bool = False
    skip: str | None = None
    fresh: bool = False
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> tuple[str, ...]:
        """Everything that ``--only`` accepts for it."""
        return (*self.name.split("/"), self.name)
