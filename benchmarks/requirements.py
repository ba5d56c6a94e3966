"""Why a job cannot run on this machine: a package or a data set is missing."""

from __future__ import annotations

import importlib.metadata

from psif.evaluation.data.folders import MissingDataError, data_file


def missing_package(*packages: str) -> str | None:
    """Name the first package that is not installed, or return None."""
    for package in packages:
        try:
            importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            return f"needs the package {package}, which is not installed"
    return None


def missing_data(title: str, *files: str) -> str | None:
    """Say that a data set is missing unless all its files exist."""
    try:
        for file in files:
            data_file(file)
    except MissingDataError:
        return f"needs {title} in the folder that PSIF_DATA names"
    return None
