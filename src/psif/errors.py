"""Exceptions and warnings. A message says what was given, what was expected and what to try."""

from __future__ import annotations


class PsifError(Exception):
    """Base class of every error that psif raises on purpose."""


class InputError(PsifError, ValueError):
    """The value of an argument, a document or a word vector cannot be used."""


class FormatError(PsifError, ValueError):
    """A file is damaged, truncated, or of another kind or version than expected."""


class MissingExtraError(PsifError, ImportError):
    """An optional package is needed but not installed; the message says how to install it."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the package '{package}'. Install it with: pip install 'psif[{extra}]'"
        )


class PsifWarning(UserWarning):
    """Base class of warnings: something to know that does not stop the work."""


class EmptyDocumentsWarning(PsifWarning):
    """Some documents have no known word, so that their vectors are zero."""
