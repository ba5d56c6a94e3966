"""Where a result comes from: machine, versions, date."""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import platform
from collections.abc import Sequence
from typing import Any

from psif.runtime.threads import resolve_jobs


def versions(packages: Sequence[str] = ()) -> dict[str, str]:
    """Return the versions of psif, of its main dependencies and of further packages."""
    found = {}
    for name in dict.fromkeys(("psif", "numpy", "scipy", "scikit-learn", "numba", *packages)):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def environment(packages: Sequence[str] = ()) -> dict[str, Any]:
    """Return the machine, versions and date of a result."""
    return {
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "python": platform.python_version(),
        "cores": resolve_jobs(None),
        "machine": platform.machine(),
        "versions": versions(packages),
    }


def described(about: dict[str, Any]) -> str:
    """Describe an :func:`environment` in one line."""
    made_with = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    return (
        f"{about['date']}, Python {about['python']}, {about['cores']} cores "
        f"({about['machine']}); {made_with}"
    )
