"""What the server counts, in the text format of Prometheus."""

from __future__ import annotations

from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


class Metrics:
    """Counts of one server."""

    content_type = "text/plain; version=0.0.4; charset=utf-8"

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._counts: dict[tuple[Any, tuple[str, ...]], Any] = {}
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "psif_requests", "Requests by path and status", ["path", "status"],
            registry=self._registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "psif_request_seconds", "Time from a request's head to the end of its answer", ["path"],
            buckets=_SECONDS, registry=self._registry,
        )  # fmt: skip
        self._texts = Counter("psif_texts", "Texts embedded", ["model"], registry=self._registry)
        self._words = Counter("psif_words", "Words embedded", ["model"], registry=self._registry)
        self._batches = Histogram(
            "psif_batch_texts", "Texts per call of the model", ["model"], buckets=_SIZES,
            registry=self._registry,
        )  # fmt: skip
        self.in_progress = Gauge(
            "psif_requests_in_progress", "Requests at hand", registry=self._registry
        )

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count an answer; ``path`` is one of a fixed set."""
        self._count(self._requests, path, str(status)).inc()
        self._count(self._seconds, path).observe(seconds)

    def embedded(self, model: str, n_texts: int, n_words: int) -> None:
        """Count embedded texts."""
        self._count(self._texts, model).inc(n_texts)
        self._count(self._words, model).inc(n_words)

    def batch(self, model: str, n_texts: int) -> None:
        """Count a call of the model."""
        self._count(self._batches, model).observe(n_texts)

    def _count(self, metric: Any, *labels: str) -> Any:
        """Return the count of some labels; looking one up in the metric takes a lock."""
        found = self._counts.get((metric, labels))
        if found is None:
            found = self._counts[metric, labels] = metric.labels(*labels)
        return found

    def text(self) -> bytes:
        """Return all counts."""
        return generate_latest(self._registry)
