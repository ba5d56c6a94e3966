"""From documents to groups: one pass learns from a sample, a second one assigns and writes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from psif.cli.messages import Messages
from psif.cli.printing import echo, print_json
from psif.cli.reporting import report_reading
from psif.errors import InputError
from psif.files.batches import in_batches
from psif.files.identity import refuse_equal_outputs, refuse_inputs_as_outputs
from psif.files.readers import ReadOptions, ReadReport, spool_streams
from psif.files.readers.documents import input_bytes
from psif.files.rows import Columns, Record, Row, check_output, read_rows, row_writer
from psif.files.sampling import TextSample, sample_texts
from psif.group.clusters.describing import Examples

if TYPE_CHECKING:
    from psif.group.clusters.groups import Groups
    from psif.model.embedder import Embedder

# Characters of the sample that a model and groups are learned from.
_SAMPLE = 30_000_000
_WORDS = 5
# Options that write shares per period, and what the shares are of.
_TRENDS = {"over_time": "groups", "topics_over_time": "topics"}
_NEW: Row = {
    "group": 0,
    "group_name": "",
    "wide_group": "",
    "nearest_group": 0,
    "group_cosine": 0.0,
    "group_margin": 0.0,
}


class GroupRun:
    """One run of ``psif group``; see its options."""

    def __init__(
        self,
        inputs: tuple[str, ...],
        output: Path,
        reading: ReadOptions,
        messages: Messages,
        options: dict[str, Any],
    ) -> None:
        self.inputs, self.output, self.reading = inputs, output, reading
        self.messages, self.options = messages, options
        self._columns = Columns()
        self._n_docs = 0
        self._dates: list[Any] = []
        self._labels: list[Any] = []
        self._shares: list[Any] = []
        self._ids: list[str] = []

    def run(self) -> dict[str, Any]:
        """Learn or load groups, write the file, and return what was found."""
        self._check()
        with tempfile.TemporaryDirectory(prefix="psif-group-") as folder:
            self.inputs = tuple(spool_streams(self.inputs, folder, self.reading))
            report = ReadReport()
            sample = sample_texts(self._texts(report), _SAMPLE, self.options["seed"])
            report_reading(report, self.messages)
            self._refuse_taken()
            groups = self._groups(sample)
            examples = self._write(groups)
        if self.options["known"] is None:
            examples.describe(groups.groups)
            groups.save(self._folder)
            self.messages.say(f"{self._folder}: {len(groups)} groups and their model")
        summary = groups.to_dict()
        for group in summary["groups"]:
            number = group["number"]
            group["size"] = int(examples.sizes[number])
            for key in ("typical", "borderline"):
                group[key] = [self._ids[i] for i in group[key] if i < len(self._ids)]
        summary |= {"outliers": examples.n_outliers, "documents": self._n_docs}
        summary["output"] = str(self.output)
        return summary | self._over_time(groups)

    @property
    def _folder(self) -> Path:
        save: Path | None = self.options["save"]
        return save or self.output.with_suffix(".groups")

    @property
    def _new(self) -> Row:
        """Names and kinds of the columns that are added."""
        return {**_NEW, **({"why": ""} if self.options["why"] else {})}

    def _refuse_taken(self) -> None:
        """Refuse columns with the names of new ones, before anything is learned."""
        if taken := [name for name in self._new if name in self._columns.names]:
            raise InputError(
                f"{self.inputs[0]}: the input has a column {taken[0]!r} already, and psif group "
                "adds one of that name; rename it."
            )

    def _check(self) -> None:
        from psif.group.clusters.storage import check_replaceable

        options = self.options
        check_output(self.output)
        if self.output.suffix == ".txt":
            raise InputError(f"{self.output}: groups are columns, which .txt does not have.")
        if options["known"] and (options["number"] or options["model"] or options["save"]):
            raise click.UsageError("--groups takes no --number, --model or --save.")
        trends = {name: options[name] for name in _TRENDS if options[name]}
        if bool(trends) != bool(options["date_column"]):
            raise click.UsageError(
                "--date-column goes together with --over-time or --topics-over-time."
            )
        if trends:
            from psif.group.trends.files import check_trend_file

            for path in trends.values():
                check_trend_file(path)
        outputs = [self.output, *trends.values()]
        learned = self._folder if options["known"] is None else None
        refuse_equal_outputs(
            {
                "--output": self.output,
                "--over-time": options["over_time"],
                "--topics-over-time": options["topics_over_time"],
                "--save": learned,
            }
        )
        models = [options["model"], options["known"]]
        refuse_inputs_as_outputs(outputs, self.inputs, models=models)
        if learned is not None:
            check_replaceable(learned)

    # Reading

    def _records(self, report: ReadReport) -> Iterator[Record]:
        return read_rows(self.inputs, self.reading, report)

    def _texts(self, report: ReadReport) -> Iterator[str]:
        """Yield the texts; columns and dates are noted on the way."""
        progress = self.messages.progress("reading", input_bytes(self.inputs))
        date = self.options["date_column"]
        for record in self._records(report):
            self._columns.add(record.row)
            self._n_docs += 1
            if self._n_docs == 1:
                self._refuse_taken()
            if date:
                if date not in record.row and self._n_docs == 1:
                    names = ", ".join(record.row)
                    raise InputError(f"{self.inputs[0]}: no column {date!r}; there are {names}.")
                self._dates.append(record.row.get(date))
            progress.update(self._n_docs, report.bytes_read)
            yield record.document.text
        progress.done()

    # Learning

    def _groups(self, sample: TextSample) -> Groups:
        from psif.group.clusters.groups import SAMPLE, Groups

        if self.options["known"]:
            loaded = Groups.load(self.options["known"])
            loaded.model.n_jobs = self.options["jobs"]
            return loaded
        model = self._model(sample)
        rows = np.arange(len(sample))
        if len(rows) > SAMPLE:
            draws = np.random.default_rng(self.options["seed"])
            rows = np.sort(draws.permutation(len(rows))[:SAMPLE])
        return Groups.learn(
            model,
            model.word_ids([sample[int(i)] for i in rows]),
            self.options["number"],
            random_state=self.options["seed"],
            n_jobs=self.options["jobs"],
        )

    def _model(self, texts: Iterable[str]) -> Embedder:
        import warnings

        from psif.errors import PsifWarning
        from psif.model.embedder import Embedder

        if self.options["model"]:
            loaded = Embedder.load(self.options["model"])
            loaded.n_jobs = self.options["jobs"]
            return loaded
        model = Embedder(random_state=self.options["seed"], n_jobs=self.options["jobs"])
        with warnings.catch_warnings():
            # Settings that nobody chose are no news where few texts allow only less.
            warnings.simplefilter("ignore", PsifWarning)
            return model.fit(texts, progress=self.messages.steps("training word vectors"))

    # Writing

    def _write(self, groups: Groups) -> Examples:
        self._columns.add(self._new)
        examples = Examples(len(groups))
        n_docs = 0
        with row_writer(self.output, self._columns) as write:
            for batch in self._batches(groups):
                texts = [record.document.text for record in batch]
                found = groups.assign(texts)
                examples.add(n_docs, found.labels, found.cosines, found.margins)
                n_docs += len(batch)
                if self.options["over_time"]:
                    self._labels.append(found.labels)
                if self.options["topics_over_time"]:
                    self._shares.append(groups.model.document_topics(texts))
                for i, record in enumerate(batch):
                    self._ids.append(record.document.id)
                    write({**record.row, **self._columns_of(groups, record, *(
                        values[i].item() for values in found
                    ))})  # fmt: skip
        if n_docs != self._n_docs:
            raise InputError(f"{self.inputs[0]} changed while it was read; run it again.")
        return examples

    def _batches(self, groups: Groups) -> Iterator[list[Record]]:
        waiting: list[Record] = []

        def documents() -> Iterator[Any]:
            for record in self._records(ReadReport()):
                waiting.append(record)
                yield record.document

        for batch in in_batches(documents(), groups.model.n_features_out_):
            yield waiting[: len(batch)]
            del waiting[: len(batch)]

    def _columns_of(
        self, groups: Groups, record: Record, label: int, nearest: int, cosine: float, margin: float
    ) -> Row:
        group = groups.groups[label] if label >= 0 else None
        wide = groups.wide[0][group.parents[0]].name if group and group.parents else None
        row: Row = {
            "group": None if group is None else label,
            "group_name": group and group.name,
            "wide_group": wide,
            "nearest_group": None if nearest < 0 else nearest,
            "group_cosine": round(cosine, 6),
            "group_margin": round(margin, 6),
        }
        if self.options["why"]:
            words = [] if nearest < 0 else groups.explain(record.document.text).words[:_WORDS]
            row["why"] = ", ".join(f"{word} {share:+.3f}" for word, share in words)
        return row

    def _over_time(self, groups: Groups) -> dict[str, Any]:
        from psif.group.trends.files import write_trends
        from psif.group.trends.shares import group_trends, share_trends

        period, summary = self.options["period"], {}
        for name in _TRENDS:
            if not self.options[name]:
                continue
            if name == "over_time":
                names = [group.name for group in groups.groups]
                trends = group_trends(self._dates, np.concatenate(self._labels), names, period)
            else:
                names = groups.model.topic_names_
                shares = np.concatenate(self._shares).astype(np.float64)
                trends = share_trends(self._dates, shares, names, period)
            write_trends(trends, self.options[name])
            summary[name] = trends.to_dict()
        return summary


def print_groups(summary: dict[str, Any], *, as_json: bool) -> None:
    """Print the groups as a table."""
    if as_json:
        print_json(summary)
        return
    echo(f"{'group':>5}  {'documents':>9}  name")
    for group in summary["groups"]:
        echo(f"{group['number']:5}  {group['size']:9,}  {group['name']}")
    echo(f"{summary['outliers']:,} of {summary['documents']:,} documents are in no group")
    for level in summary["wide"]:
        echo(f"\n{len(level)} wider groups:")
        for wide in level:
            echo(f"  {wide['name']}: groups {', '.join(map(str, wide['groups']))}")
    for name, what in _TRENDS.items():
        if name not in summary:
            continue
        trends = summary[name]
        echo(f"\n{trends['missing']:,} documents have no date; {what} by {trends['period']}:")
        for one in trends["groups"]:
            echo(f"  {one['change']:<7} {one['name']} (p = {one['p']:.2g})")
