"""Read documents, fit a model on them, save it with the options of the run."""

from __future__ import annotations

import itertools
import json
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from psif import __version__
from psif.cli.messages import Messages, Progress
from psif.cli.reporting import report_reading
from psif.files.readers import ReadOptions, ReadReport, read_documents
from psif.files.readers.documents import input_bytes
from psif.files.readers.options import Document
from psif.files.sampling import sample_texts

if TYPE_CHECKING:
    from psif.model.embedder import Embedder

_WORDS_A_TOPIC = 10


@dataclass(frozen=True)
class FitPlan:
    """What to learn a model from, and how."""

    inputs: Sequence[str]
    reading: ReadOptions
    preset: str | None
    parameters: dict[str, Any]
    fit_limit: float  # million characters; 0 is no limit

    def to_dict(self) -> dict[str, Any]:
        """Options that matter, as plain data; inputs by name alone."""
        return {
            "inputs": [Path(path).name if path != "-" else path for path in self.inputs],
            **{name: value for name, value in asdict(self.reading).items() if value is not None},
            **({"preset": self.preset} if self.preset else {}),
            "fit_limit": self.fit_limit,
            "parameters": self.parameters,
        }


def fit_model(plan: FitPlan, output: Path, messages: Messages, client: Any = None) -> Embedder:
    """Fit on a stream of documents, or on a cluster; the model appears whole or not at all."""
    from psif.cli.fit_options import make_model

    began = time.monotonic()
    report = ReadReport()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if client is None:
            model = _fit_here(plan, report, messages)
        else:
            from psif.cli.cluster import fit_on_cluster

            # A cluster is for documents by the million: it takes all of them.
            model = make_model(plan.preset, plan.parameters)
            fit_on_cluster(client, model, plan.inputs, plan.reading, report, messages)
    for message in dict.fromkeys(str(w.message) for w in caught if _is_ours(w)):
        messages.warn(message)
    report_reading(report, messages)
    model.save(output)
    _note_options(output, plan)
    messages.say(
        f"fitted on {model.vocabulary_.n_docs:,} documents in {time.monotonic() - began:.1f} s"
    )
    return model


def _fit_here(plan: FitPlan, report: ReadReport, messages: Messages) -> Embedder:
    from psif.cli.fit_options import make_model

    documents = read_documents(plan.inputs, plan.reading, report)
    progress = messages.progress("reading", input_bytes(plan.inputs))
    documents, plan = _choose_topics(documents, plan, messages)
    model = make_model(plan.preset, plan.parameters)
    texts: Iterable[str] = _texts(documents, report, progress)
    if plan.fit_limit:
        texts = _sample(texts, plan, report, messages)
        progress.done()
    model.fit(texts, progress=messages.steps("training word vectors"))
    progress.done()
    return model


def _sample(
    texts: Iterable[str], plan: FitPlan, report: ReadReport, messages: Messages
) -> list[str]:
    seed = int(plan.parameters.get("random_state", 0))
    sample = sample_texts(texts, round(1e6 * plan.fit_limit), seed)
    if len(sample) < report.n_docs:
        messages.say(
            f"learning from {len(sample):,} of {report.n_docs:,} documents, drawn at random: "
            f"{plan.fit_limit:g} million characters (--fit-limit 0 takes all)"
        )
    else:
        messages.say(f"learning from {report.n_docs:,} documents")
    return sample


def _choose_topics(
    documents: Iterator[Document], plan: FitPlan, messages: Messages
) -> tuple[Iterator[Document], FitPlan]:
    """Take fewer topics than the default for few words, if the user named no number.

    So that a first try with a handful of lines works without an option.
    """
    if plan.preset is not None or "n_topics" in plan.parameters:
        return documents, plan
    documents, few = _few_words(documents, plan.parameters)
    if few is None:
        return documents, plan
    topics = max(1, few // _WORDS_A_TOPIC)
    messages.say(f"only {few} words: topics: {topics} (-k N chooses another number)")
    return documents, replace(plan, parameters={**plan.parameters, "n_topics": topics})


def _few_words(
    documents: Iterator[Document], parameters: dict[str, Any]
) -> tuple[Iterator[Document], int | None]:
    """Look at the first documents: the number of words, if all have too few for 40 topics."""
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


def _note_options(model: Path, plan: FitPlan) -> None:
    """Add to the model's card what it was made with, so that it can be made again."""
    options = {"psif": __version__, **plan.to_dict()}
    card = model / "README.md"
    text = card.read_text(encoding="utf-8") if card.exists() else ""
    block = json.dumps(options, indent=2, ensure_ascii=False)
    section = f"\n## Options of the run\n\n```json\n{block}\n```\n"
    card.write_text(text.rstrip("\n") + "\n" + section, encoding="utf-8")
