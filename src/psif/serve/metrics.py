"""What the server counts, in the text format of Prometheus."""

from __future__ import annotations

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
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def embedded(self, model: str, n_texts: int, n_words: int) -> None:
        """Count embedded texts."""
        self._texts.labels(model).inc(n_texts)
        self._words.labels(model).inc(n_words)

    def batch(self, model: str, n_texts: int) -> None:
        """Count a call of the model."""
        self._batches.labels(model).observe(n_texts)

    def text(self) -> bytes:
        """Return all counts."""
        return generate_latest(self._registry)
