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
from psif.files.batches import Record, record_of
from psif.files.readers import ReadOptions, ReadReport, read_documents
from psif.files.readers.documents import input_bytes
from psif.files.readers.options import Document
from psif.files.sampling import sample_texts

if TYPE_CHECKING:
    from psif.model.embedder import Embedder
    from psif.text.flat import FlatDocs

_WORDS_PER_TOPIC = 10
# Documents whose records are kept in memory, so that they need not be read again.
_MOST_RECORDS = 1 << 20


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


@dataclass(frozen=True)
class Fitted:
    """A model, and the documents that it learned from if those were all.

    Attributes
    ----------
    model : Embedder
    report : ReadReport
    records : list of Record or None
        One per document, if the model learned from all of them.
    docs : FlatDocs or None
        Their words, so that they need not be read again.
    """

    model: Embedder
    report: ReadReport
    records: list[Record] | None = None
    docs: FlatDocs | None = None


def fit_model(plan: FitPlan, messages: Messages, client: Any = None) -> Fitted:
    """Fit on a stream of documents, or on a cluster."""
    began = time.monotonic()
    report = ReadReport()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if client is None:
            fitted = _fit_here(plan, report, messages)
        else:
            fitted = _fit_on_cluster(plan, report, messages, client)
    for message in dict.fromkeys(str(w.message) for w in caught if _is_ours(w)):
        messages.warn(message)
    report_reading(report, messages)
    messages.say(
        f"fitted on {fitted.model.vocabulary_.n_docs:,} documents "
        f"in {time.monotonic() - began:.1f} s"
    )
    return fitted


def save_model(model: Embedder, output: Path, plan: FitPlan) -> str:
    """Save a model, its card with the options of the run; return its checksum."""
    from psif.model.storage import save

    options = {"psif": __version__, **plan.to_dict()}
    block = json.dumps(options, indent=2, ensure_ascii=False)
    return save(model, output, notes=f"\n## Options of the run\n\n```json\n{block}\n```\n")


def _fit_here(plan: FitPlan, report: ReadReport, messages: Messages) -> Fitted:
    from psif.cli.fit_options import make_model

    documents = read_documents(plan.inputs, plan.reading, report)
    progress = messages.progress("reading", input_bytes(plan.inputs))
    documents, plan = _choose_topics(documents, plan, messages)
    model = make_model(plan.preset, plan.parameters)
    recorder = _Recorder(documents, report, progress)
    texts: Iterable[str] = recorder
    if plan.fit_limit:
        texts = sample = _sample(recorder, plan, report, messages)
        if len(sample) < report.n_docs:
            recorder.records = None
        progress.done()
    docs = model.learn(texts, progress=messages.steps("training word vectors"))
    progress.done()
    if recorder.records is None:
        return Fitted(model, report)
    return Fitted(model, report, recorder.records, docs)


def _fit_on_cluster(plan: FitPlan, report: ReadReport, messages: Messages, client: Any) -> Fitted:
    from psif.cli.cluster import fit_on_cluster
    from psif.cli.fit_options import make_model

    # A cluster is for documents by the million: it takes all of them.
    model = make_model(plan.preset, plan.parameters)
    fit_on_cluster(client, model, plan.inputs, plan.reading, report, messages)
    return Fitted(model, report)


class _Recorder:
    """The texts of a stream of documents, which keeps their records as long as they are few."""

    def __init__(
        self, documents: Iterator[Document], report: ReadReport, progress: Progress
    ) -> None:
        self.records: list[Record] | None = []
        self._documents, self._report, self._progress = documents, report, progress

    def __iter__(self) -> Iterator[str]:
        for document in self._documents:
            if self.records is not None:
                self.records.append(record_of(document))
                if len(self.records) > _MOST_RECORDS:
                    self.records = None
            yield document.text
            self._progress.update(self._report.n_docs, self._report.bytes_read)


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
    topics = max(1, few // _WORDS_PER_TOPIC)
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
        if len(words) >= _WORDS_PER_TOPIC * int(model.n_topics):
            return itertools.chain(first, documents), None
    return iter(first), len(words)


def _is_ours(warning: warnings.WarningMessage) -> bool:
    from psif.errors import PsifWarning

    return issubclass(warning.category, PsifWarning)
