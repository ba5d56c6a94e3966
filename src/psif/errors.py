"""Our few exceptions. A message says what came, what was expected and what to try."""

from __future__ import annotations


class PsifError(Exception):
    """Base of every error that psif raises on purpose."""


class InputError(PsifError, ValueError):
    """An argument, a document or a word vector has a value that cannot be used."""


class FormatError(PsifError, ValueError):
    """A file is not what it should be: damaged, truncated, of another kind or version."""


class MissingExtraError(PsifError, ImportError):
    """An optional package is needed that is not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the package '{package}'. Install it with: pip install 'psif[{extra}]'"
        )


class PsifWarning(UserWarning):
    """Something the user should know that does not stop the work."""


class EmptyDocumentsWarning(PsifWarning):
    """Some documents have no known word, so that their vectors are zero."""
