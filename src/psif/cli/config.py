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
    tables = {name: _named(path, name, table) for name, table in content.items()}
    if "fit" in tables:
        # Fitting is part of embedding; what only `psif fit` has does not apply there.
        shared = {key: value for key, value in tables["fit"].items() if key != "output"}
        tables["embed"] = {**shared, **tables.get("embed", {})}
    return tables


def _named(path: Path, command: str, table: dict[str, Any]) -> dict[str, Any]:
    """Turn long options into the names that the command knows them by.

    An option that it does not have is refused: a misspelt one would be without effect.
    """
    import importlib
    from difflib import get_close_matches

    parameters = importlib.import_module(f"psif.cli.commands.{command}").command.params
    known = {
        option.removeprefix("--"): parameter.name
        for parameter in parameters
        for option in parameter.opts
        if option.startswith("--")
    }
    named = {}
    for key, value in table.items():
        option = key.replace("_", "-")
        if option not in known:
            near = get_close_matches(option, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise InputError(f"{path}: [{command}] has no option {option}{hint}")
        named[known[option]] = value
    return named
