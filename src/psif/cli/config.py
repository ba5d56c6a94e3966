"""Options from a psif.toml.

A table is named for a command and holds its long options::

    [embed]
    text-column = "body"
    dtype = "float16"

    [fit]
    topics = 60

Options given on the command line win.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from psif.errors import InputError


def load_config(path: Path, commands: list[str]) -> dict[str, dict[str, Any]]:
    """Read defaults by command; ``psif embed`` also takes what stands under ``[fit]``."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path}: not valid TOML: {error}") from error
    for name, table in content.items():
        if name not in commands or not isinstance(table, dict):
            raise InputError(
                f"{path}: [{name}] is not a command; tables are named for commands such as [embed]"
            )
    tables = {
        name: {key.replace("-", "_"): value for key, value in table.items()}
        for name, table in content.items()
    }
    _check_names(path, tables)
    if "fit" in tables:
        # Fitting is part of embedding; what only `psif fit` has does not apply there.
        shared = {key: value for key, value in tables["fit"].items() if key != "output"}
        tables["embed"] = {**shared, **tables.get("embed", {})}
    return tables


def _check_names(path: Path, tables: dict[str, dict[str, Any]]) -> None:
    """Refuse options that a command does not have: a misspelt one would be without effect."""
    import importlib
    from difflib import get_close_matches

    for name, table in tables.items():
        parameters = importlib.import_module(f"psif.cli.{name}").command.params
        known = [parameter.name for parameter in parameters]
        for key in table:
            if key not in known:
                near = get_close_matches(key, known, n=1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise InputError(f"{path}: [{name}] has no option {key.replace('_', '-')}{hint}")
