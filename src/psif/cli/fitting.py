"""Read documents, fit a model on them, save it with the options of the run."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from psif import __version__
from psif.cli.messages import Messages, Progress
from psif.cli.reporting import report_reading
from psif.text.readers import ReadOptions, ReadReport, read_documents
from psif.text.readers.documents import input_bytes
from psif.text.readers.options import Document

if TYPE_CHECKING:
    from psif.model import PSIF


def fit_model(
    inputs: Sequence[str],
    output: Path,
    reading: ReadOptions,
    preset: str | None,
    parameters: dict[str, Any],
    messages: Messages,
    client: Any = None,
) -> PSIF:
    """Fit on a stream of documents, or on a cluster; the model appears whole or not at all."""
    from psif.cli.fit_options import make_model

    began = time.monotonic()
    report = ReadReport()
    model = make_model(preset, parameters)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if client is None:
            documents = read_documents(inputs, reading, report)
            progress = messages.progress("reading", input_bytes(inputs))
            model.fit(_texts(documents, report, progress))
            progress.done()
        else:
            from psif.cli.cluster import fit_on_cluster

            fit_on_cluster(client, model, inputs, reading, report, messages)
    for message in dict.fromkeys(str(w.message) for w in caught if _is_ours(w)):
        messages.warn(message)
    report_reading(report, messages)
    model.save(output)
    _note_options(output, inputs, reading, preset, parameters)
    messages.say(f"fitted on {report.n_docs:,} documents in {time.monotonic() - began:.1f} s")
    return model


def _texts(documents: Iterator[Document], report: ReadReport, progress: Progress) -> Iterator[str]:
    for document in documents:
        yield document.text
        progress.update(report.n_docs, report.bytes_read)


def _is_ours(warning: warnings.WarningMessage) -> bool:
    from psif.errors import PsifWarning

    return issubclass(warning.category, PsifWarning)


def _note_options(
    model: Path,
    inputs: Sequence[str],
    reading: ReadOptions,
    preset: str | None,
    parameters: dict[str, Any],
) -> None:
    """Add to the model's card what it was made with, so that it can be made again."""
    options = {
        "psif": __version__,
        "inputs": [Path(path).name if path != "-" else path for path in inputs],
        **{name: value for name, value in asdict(reading).items() if value is not None},
        **({"preset": preset} if preset else {}),
        "parameters": parameters,
    }
    card = model / "README.md"
    text = card.read_text(encoding="utf-8") if card.exists() else ""
    block = json.dumps(options, indent=2, ensure_ascii=False)
    section = f"\n## Options of the run\n\n```json\n{block}\n```\n"
    card.write_text(text.rstrip("\n") + "\n" + section, encoding="utf-8")
