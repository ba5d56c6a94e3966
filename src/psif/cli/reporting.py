"""Sentences about models and about what was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from psif.cli.messages import Messages
from psif.files.readers import ReadReport

if TYPE_CHECKING:
    from psif.model.embedder import Embedder


def describe_model(model: Embedder) -> str:
    """One line: size and coverage."""
    return (
        f"{model.n_topics_} topics, {model.vocabulary_.n_known:,} words, "
        f"{model.n_features_out_:,} numbers per vector, coverage {model.coverage_:.1%}"
    )


def report_reading(report: ReadReport, messages: Messages) -> None:
    """Tell what was odd about the input."""
    for note in report.notes:
        messages.note(note)
    if report.n_replaced:
        messages.warn(f"{report.n_replaced:,} undecodable characters became U+FFFD")
    if report.n_skipped:
        messages.warn(f"{report.n_skipped:,} records were skipped, the first: {report.problems[0]}")
