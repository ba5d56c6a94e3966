"""Build a method with the settings of a protocol, and fit it on what it may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from psif.baselines import METHODS, make_method
from psif.evaluation.runner.protocols import NEIGHBOURS, Protocol, method_settings
from psif.evaluation.runner.shared_vectors import TrainedVectors

# Below this share of known words the vectors decide the score, not the method.
POOR_COVERAGE = 0.8


@dataclass(frozen=True)
class MethodBuilder:
    """Makes fitted models of one method under one protocol."""

    method: str
    protocol: Protocol
    group: str
    options: Mapping[str, Any]
    random_state: int | None
    n_jobs: int | None
    warn: Callable[[str], None]
    # Models that several tasks share, by method and protocol.
    shared: dict[tuple[str, str], Any] = field(default_factory=dict)
    # Word vectors that methods share.
    trained: TrainedVectors = field(default_factory=TrainedVectors)

    @property
    def settings(self) -> dict[str, Any]:
        """Settings in force."""
        return method_settings(self.method, self.protocol, self.group, self.options)

    def by_measures(self, measures: Sequence[str]) -> list[tuple[MethodBuilder, tuple[str, ...]]]:
        """Return the builders and the measures that each is for.

        Retrieval and clustering have a builder of their own where their settings differ.
        """
        linear = tuple(name for name in measures if name == "classification")
        others = tuple(name for name in measures if name != "classification")
        neighbours = replace(self, group=NEIGHBOURS)
        if not others or neighbours.settings == self.settings:
            return [(self, tuple(measures))]
        return [(self, linear), (neighbours, others)] if linear else [(neighbours, others)]

    @cached_property
    def prototype(self) -> Any:
        """The method, built once and never fitted."""
        return make_method(
            self.method, **self.settings, random_state=self.random_state, n_jobs=self.n_jobs
        )

    def build_for(self, texts: Sequence[str]) -> Any:
        """Return the method, not fitted, with the word vectors that these texts make."""
        # Not scikit-learn's clone(): it would copy the whole table of word vectors.
        model = copy(self.prototype)
        self.trained.share(model, texts)
        return model

    def fit(self, texts: Sequence[str], labels: Sequence[Any] | None = None) -> Any:
        """Return the method, fitted; labels go only to methods that need them."""
        model = self.build_for(texts)
        if METHODS[self.method].needs_labels:
            return model.fit(texts, labels)
        return model.fit(texts)

    def fit_shared(self, texts: Sequence[str]) -> Any:
        """Return the method, fitted on texts that are the same for every task that asks."""
        key = (self.method, self.protocol.name)
        if key not in self.shared:
            self.shared[key] = self.fit(texts)
        return self.shared[key]

    def check_coverage(self, model: Any, texts: Sequence[str], task: str) -> None:
        """Warn when the word vectors know too few of the words."""
        if not METHODS[self.method].needs_word_vectors or not hasattr(model, "word_ids"):
            return
        coverage = model.vocabulary_.coverage(model.word_ids(texts))
        if coverage < POOR_COVERAGE:
            self.warn(
                f"{task}, {self.method}: the word vectors know only {coverage:.1%} of the words "
                "of the test documents; other vectors may score better."
            )
