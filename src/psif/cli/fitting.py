"""Read documents, fit a model on them, save it with the options of the run."""

from __future__ import annotations

import itertools
import json
import time
import warnings
from collections import Counter
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
from psif.files.sampling import TextSample, sample_texts
from psif.vectors.ready import READY

if TYPE_CHECKING:
    from psif.model.embedder import Embedder
    from psif.text.flat import FlatDocs

_WORDS_PER_TOPIC = 10
# Documents whose records are kept in memory, so that they need not be read again.
_MOST_RECORDS = 1 << 20
# How the words of texts are counted: a long text in pieces; and of a stream at most so many
# characters are kept, a string's own memory included.
_PIECE, _PER_TEXT, _MOST_KEPT = 1 << 16, 64, 1 << 25


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
    if fitted.model.vectors_ in READY:
        messages.say(
            f"only {fitted.model.n_tokens_:,} words: joined with psif's {fitted.model.vectors_} "
            "table (--vectors ppmi learns from these documents alone)"
        )
    elif fitted.model.table_ is not None:
        messages.say(
            f"{fitted.model.n_features_out_:,} numbers per vector, of "
            f"{fitted.model.n_features_all_:,} (--dims all keeps them all)"
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

    make_model(plan.preset, plan.parameters)  # wrong options: told before anything is read
    documents = read_documents(plan.inputs, plan.reading, report)
    progress = messages.progress("reading", input_bytes(plan.inputs))
    recorder = _Recorder(documents, report, progress)
    texts: Iterable[str] = recorder
    if plan.fit_limit:
        texts = sample = _sample(recorder, plan, messages)
        if not sample.is_whole:
            recorder.records = None
        progress.done()
    texts, plan = _choose_topics(texts, plan, messages)
    model = make_model(plan.preset, plan.parameters)
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


def _sample(texts: Iterable[str], plan: FitPlan, messages: Messages) -> TextSample:
    seed = int(plan.parameters.get("random_state", 0))
    sample = sample_texts(texts, round(1e6 * plan.fit_limit), seed)
    if sample.is_whole:
        messages.say(f"learning from {sample.n_seen:,} documents")
    else:
        messages.say(
            f"learning from {len(sample):,} of {sample.n_seen:,} documents, drawn at random: "
            f"{sample.n_characters / 1e6:.4g} of {sample.n_seen_characters / 1e6:.4g} million "
            "characters (--fit-limit 0 takes all)"
        )
    return sample


def _choose_topics(
    texts: Iterable[str], plan: FitPlan, messages: Messages
) -> tuple[Iterable[str], FitPlan]:
    """Take fewer topics than the default for few words, if the user named no number.

    So that a first try with a handful of lines works without an option.
    """
    if plan.preset is not None or "n_topics" in plan.parameters:
        return texts, plan
    texts, few = _few_words(texts, plan.parameters)
    if few is None:
        return texts, plan
    topics = max(1, few // _WORDS_PER_TOPIC)
    messages.say(f"only {few} words: topics: {topics} (-k N chooses another number)")
    return texts, replace(plan, parameters={**plan.parameters, "n_topics": topics})


def _few_words(
    texts: Iterable[str], parameters: dict[str, Any]
) -> tuple[Iterable[str], int | None]:
    """Look at the first texts: the number of words, if all have too few for the topics.

    Words of a language that psif has a table of are joined with that, so they are never too few.
    """
    from psif.cli.fit_options import make_model
    from psif.model.joining import is_of_a_ready_language, leaves_open
    from psif.text.tokenizer import Tokenizer
    from psif.vectors.trainers import TRAINERS

    model = make_model(None, parameters)
    if model.vectors not in (*TRAINERS, "auto"):  # a table brings its own words
        return texts, None
    tokenizer = Tokenizer.of(model.tokenizer)
    enough = _WORDS_PER_TOPIC * int(model.n_topics)
    words: Counter[str] = Counter()
    # A sample can be read again; of a stream, what was looked at is kept.
    kept: list[str] | None = None if isinstance(texts, Sequence) else []
    size = 0
    stream = iter(texts)
    for text in stream:
        if kept is not None:
            kept.append(text)
            size += len(text) + _PER_TEXT
        for start in range(0, len(text), _PIECE):
            words.update(tokenizer(text[start : start + _PIECE]))
            if len(words) >= enough:
                break
        if len(words) >= enough or size > _MOST_KEPT:
            return (texts if kept is None else itertools.chain(kept, stream)), None
    few = None if leaves_open(model.settings) and is_of_a_ready_language(words) else len(words)
    return (texts if kept is None else kept), few


def _is_ours(warning: warnings.WarningMessage) -> bool:
    from psif.errors import PsifWarning

    return issubclass(warning.category, PsifWarning)
