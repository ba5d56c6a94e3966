"""Fields of requests: each has the right type, or the client is told which is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psif.serve.failures import RequestError, invalid
from psif.serve.limits import Limits

_TOKENS = (
    "'{name}' holds token ids. psif has words, not tokens: send the text itself (in LangChain: "
    "check_embedding_ctx_length=False)."
)


def texts_of(body: dict[str, Any], name: str, limits: Limits) -> list[str]:
    """Return a text, or a list of texts, as a list."""
    value = body.get(name)
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        raise invalid(f"'{name}' must be a text or a list of texts.", name)
    if not value:
        raise invalid(f"'{name}' is an empty list; send at least one text.", name)
    if len(value) > limits.texts:
        raise RequestError(
            413,
            f"'{name}' has {len(value):,} texts, at most {limits.texts:,} are allowed per request.",
            "too_many_texts",
            name,
        )
    for position, text in enumerate(value):
        if not isinstance(text, str):
            if isinstance(text, int) or (isinstance(text, list) and _are_numbers(text)):
                raise invalid(_TOKENS.format(name=name), name)
            raise invalid(f"entry {position} of '{name}' is not a text.", name)
    return value


def _are_numbers(value: Sequence[object]) -> bool:
    return all(isinstance(item, int) for item in value)


def text_of(body: dict[str, Any], name: str, limits: Limits | None = None) -> str:
    """Return a text; with limits, one that is short enough to be explained."""
    value = body.get(name)
    if not isinstance(value, str):
        raise invalid(f"'{name}' must be a text.", name)
    if limits is not None and len(value) > limits.explained:
        raise RequestError(
            413,
            f"'{name}' has {len(value):,} characters; texts of at most {limits.explained:,} "
            "can be explained.",
            "text_too_long",
            name,
        )
    return value


def number_of(
    body: dict[str, Any], name: str, default: int | None, least: int, most: int
) -> int | None:
    """Return a whole number within bounds, or the default."""
    value = body.get(name)
    if value is None:
        return default
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise invalid(f"'{name}' must be a whole number from {least} to {most:,}.", name)
    return value


def choice_of(body: dict[str, Any], name: str, choices: Sequence[str]) -> str:
    """Return one of some words; the first is the default."""
    value = body.get(name)
    if value is None:
        return choices[0]
    if value not in choices:
        raise invalid(f"'{name}' must be {' or '.join(map(repr, choices))}.", name)
    return str(value)


def flag_of(body: dict[str, Any], name: str) -> bool:
    """Return true or false; false is the default."""
    value = body.get(name, False)
    if not isinstance(value, bool):
        raise invalid(f"'{name}' must be true or false.", name)
    return value
