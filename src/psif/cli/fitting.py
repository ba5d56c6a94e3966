"""Read documents, fit a model on them, save it with the options of the run."""

from __future__ import annotations

import itertools
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

_WORDS_A_TOPIC = 10


def fit_model(
    inputs: Sequence[str],
    output: Path,
    reading: ReadOptions,
    preset: str | None,
    parameters: dict[str, Any],
    messages: Messages,
) -> PSIF:
    """Fit on a stream of documents; the model appears whole or not at all."""
    from psif.cli.fit_options import make_model

    began = time.monotonic()
    report = ReadReport()
    documents = read_documents(inputs, reading, report)
    progress = messages.progress("reading", input_bytes(inputs))
    if preset is None and "n_topics" not in parameters:
        documents, few = _few_words(documents, parameters)
        if few is not None:
            topics = max(1, few // _WORDS_A_TOPIC)
            parameters = {**parameters, "n_topics": topics}
            messages.say(f"only {few} words: topics: {topics} (-k N chooses another number)")
    model = make_model(preset, parameters)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(_texts(documents, report, progress))
    progress.done()
    for message in dict.fromkeys(str(w.message) for w in caught if _is_ours(w)):
        messages.warn(message)
    report_reading(report, messages)
    model.save(output)
    _note_options(output, inputs, reading, preset, parameters)
    messages.say(f"fitted on {report.n_docs:,} documents in {time.monotonic() - began:.1f} s")
    return model


def _few_words(
    documents: Iterator[Document], parameters: dict[str, Any]
) -> tuple[Iterator[Document], int | None]:
    """Look at the first documents: the number of words, if all have too few for 40 topics.

    So that a first try with a handful of lines works without an option.
    """
    from psif.cli.fit_options import make_model
    from psif.text.tokenizer import Tokenizer
    from psif.vectors.trainers import TRAINERS

    model = make_model(None, parameters)
    if model.vectors not in TRAINERS:  # a table brings its own words
        return documents, None
    tokenizer = Tokenizer.of(model.tokenizer)
    words: set[str] = set()
    first: list[Document] = []
    for document in documents:
        first.append(document)
        words.update(tokenizer(document.text))
        if len(words) >= _WORDS_A_TOPIC * int(model.n_topics):
            return itertools.chain(first, documents), None
    return iter(first), len(words)


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
