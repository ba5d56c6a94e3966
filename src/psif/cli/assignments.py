"""Settings that are given as NAME=VALUE."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import click


def set_option(help_text: str) -> Any:
    """Return an option ``--set NAME=VALUE`` that may be given several times."""
    return click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help=help_text)


def parse_assignments(items: Iterable[str]) -> dict[str, Any]:
    """Numbers, true, null and the like are read as JSON; anything else stands as it is."""
    settings: dict[str, Any] = {}
    for item in items:
        name, separator, value = item.partition("=")
        if not separator:
            raise click.BadParameter(f"{item!r}: expected NAME=VALUE", param_hint="--set")
        try:
            settings[name.strip()] = json.loads(value)
        except ValueError:
            settings[name.strip()] = value
    return settings
