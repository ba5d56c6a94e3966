"""The methods by name."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

from psif.baselines.catalogue import ENTRIES
from psif.errors import InputError
from psif.runtime.suggestions import nearest_name, unknown_name

# Given to every method, dropped where a method has no use for it.
COMMON = ("vectors", "tokenizer", "random_state", "n_jobs")


@dataclass(frozen=True)
class Method:
    """One way to represent documents.

    Attributes
    ----------
    name : str
    description : str
        One line.
    citation : str
    kind : {"vectors", "distances", "classifier", "ranking"}
        What it gives: ``transform(texts)``, ``distances(texts_a, texts_b)``, labels, or
        ``rank(queries, k)``.
    needs_word_vectors : bool
        Whether ``vectors`` is used.
    needs_labels : bool
        Whether ``fit(texts, y)`` must be given the classes.
    extra : str or None
        The extra of this package to install for it.
    target : str
        Where it is built: ``"module:attribute"``, imported on first use.
    """

    name: str
    description: str
    citation: str
    target: str
    kind: str = "vectors"
    needs_word_vectors: bool = True
    needs_labels: bool = False
    extra: str | None = None

    def factory(
        self,
        *,
        vectors: Any = "ppmi",
        tokenizer: Any = "words",
        random_state: Any = None,
        n_jobs: int | None = None,
        **options: Any,
    ) -> Any:
        """Build the method, not fitted.

        Parameters
        ----------
        vectors, tokenizer, random_state, n_jobs
            As in :class:`psif.PSIF`; those that the method has no use for are ignored.
        **options
            The method's own settings.
        """
        common = {
            "vectors": vectors,
            "tokenizer": tokenizer,
            "random_state": random_state,
            "n_jobs": n_jobs,
        }
        known = self.options()
        for option in options:
            if option not in known:
                near = nearest_name(option, known)
                hint = f" Did you mean {near!r}?" if near else ""
                raise InputError(
                    f"the method {self.name!r} has no option {option!r}.{hint} "
                    f"Its options: {', '.join(known)}."
                )
        return self._target()(
            **{key: value for key, value in common.items() if key in known}, **options
        )

    def options(self) -> list[str]:
        """Names of the settings, sorted."""
        parameters = inspect.signature(self._target()).parameters
        names = set(parameters)
        if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()):
            # A named setting of the estimator itself: it takes all of its options.
            from psif.model.estimator import PSIF

            names |= set(inspect.signature(PSIF).parameters)
            names -= {p.name for p in parameters.values() if p.kind is p.VAR_KEYWORD}
        if not self.needs_word_vectors:
            names.discard("vectors")
        return sorted(names)

    def _target(self) -> Any:
        module, _, attribute = self.target.partition(":")
        return getattr(import_module(module), attribute)


def _build() -> Mapping[str, Method]:
    methods: dict[str, Method] = {}
    for entry in ENTRIES:
        method = Method(**entry)
        if method.name in methods:
            raise RuntimeError(f"two methods are called {method.name!r}.")
        methods[method.name] = method
    return MappingProxyType(methods)


METHODS: Mapping[str, Method] = _build()


def make_method(name: str, **options: Any) -> Any:
    """Build the method called ``name``; see :meth:`Method.factory` for the options.

    Examples
    --------
    >>> from psif.baselines import make_method
    >>> texts = ["cats purr", "dogs bark", "cats and dogs play"]
    >>> make_method("tfidf").fit_transform(texts).shape
    (3, 6)
    """
    if name not in METHODS:
        raise unknown_name("method", str(name), METHODS)
    return METHODS[name].factory(**options)
