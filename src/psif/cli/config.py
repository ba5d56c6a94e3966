"""Options from a psif.toml.

A table is named after a command and holds its long options::

    [embed]
    text-column = "body"
    dtype = "float16"

    [fit]
    topics = 60

Options given on the command line win. A psif.toml that is merely found in the current folder may
come from somebody else (an archive, a repository), so it cannot name addresses, or files outside
that folder; a file that the user names with ``--config`` can.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import click

from psif.errors import InputError
from psif.runtime.suggestions import nearest_name

FOUND = Path("psif.toml")
# Options that connect to another process, listen for others, or trust what a file contains.
_NEVER_FOUND = {"api-key", "cluster", "host", "port", "trust"}

Tables = dict[str, dict[str, Any]]


def load_config(path: Path, commands: list[str], *, named: bool) -> tuple[Tables, list[str]]:
    """Read the defaults of commands; ``psif embed`` also takes those of ``[fit]``.

    Parameters
    ----------
    path : Path
    commands : list of str
    named : bool
        Whether the user has named this file. If it was merely found, unsafe options are left out.

    Returns
    -------
    tables : dict
        By command, options by the names of their parameters.
    ignored : list of str
        Options that were left out.
    """
    content = _read(path)
    for name, table in content.items():
        if name not in commands or not isinstance(table, dict):
            raise InputError(
                f"{path}: [{name}] is not a command; tables are named after commands, as [embed]"
            )
    ignored: list[str] = []
    tables: Tables = {}
    for name, table in content.items():
        unsafe = [] if named else [key for key in table if _is_unsafe(key, table[key])]
        ignored += [f"{key} of [{name}]" for key in unsafe]
        safe = {key: value for key, value in table.items() if key not in unsafe}
        tables[name] = _parameters(path, name, safe)
    if "fit" in tables:
        # Fitting is part of embedding; the options that only `psif fit` has do not apply there.
        shared = {key: value for key, value in tables["fit"].items() if key != "output"}
        tables["embed"] = {**shared, **tables.get("embed", {})}
    return tables, ignored


def _read(path: Path) -> dict[str, Any]:
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: not a regular file; it is not read")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except RecursionError as error:
        raise InputError(f"{path}: not valid TOML: nested too deeply") from error
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{path}: not valid TOML: {error}") from error


def _is_unsafe(key: str, value: Any) -> bool:
    return key.replace("_", "-") in _NEVER_FOUND or any(map(_points_outside, _strings(value)))


def _strings(value: Any) -> list[str]:
    """All strings in a value; of ``NAME=VALUE``, as ``--set`` takes it, also the value."""
    if isinstance(value, list):
        return [text for item in value for text in _strings(item)]
    if isinstance(value, dict):
        return [text for item in value.items() for text in _strings(list(item))]
    if not isinstance(value, str):
        return []
    _, _, assigned = value.partition("=")
    try:
        parsed = json.loads(assigned)
    except (ValueError, RecursionError):
        parsed = None
    return [value, *([assigned.strip()] if assigned else []), *_strings(parsed)]


def _points_outside(text: str) -> bool:
    """Tell whether a text is an address, or a path that leads out of the current folder."""
    if "://" in text or text.startswith("~"):
        return True
    try:
        here = Path.cwd().resolve()
        return not (here / text).resolve().is_relative_to(here)
    except (OSError, ValueError, RuntimeError):  # no path: a NUL in it, too long, a loop of links
        return False


def _parameters(path: Path, command: str, table: dict[str, Any]) -> dict[str, Any]:
    """Turn long options into the names of the command's parameters.

    An unknown option is refused: a misspelt one would be without effect.
    """
    import importlib

    parameters = importlib.import_module(f"psif.cli.commands.{command}").command.params
    known: dict[str, click.Parameter] = {
        option.removeprefix("--"): parameter
        for parameter in parameters
        for option in parameter.opts
        if option.startswith("--")
    }
    found: dict[str, Any] = {}
    for key, value in table.items():
        option = key.replace("_", "-")
        if option not in known:
            near = nearest_name(option, known)
            hint = f"; did you mean {near}?" if near else ""
            raise InputError(f"{path}: [{command}] has no option {option}{hint}")
        parameter = known[option]
        is_list = isinstance(value, list) and bool(getattr(parameter, "multiple", False))
        for item in value if is_list else [value]:
            if not isinstance(item, str | int | float):
                raise InputError(
                    f"{path}: [{command}] {option} is {item!r}; expected a text, a number, "
                    "or true or false"
                )
        found[str(parameter.name)] = value
    return found
