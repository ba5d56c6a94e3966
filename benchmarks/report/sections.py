"""All sections of a report, in their order."""

from __future__ import annotations

from benchmarks.report.classify import classify_sections
from benchmarks.report.cluster import cluster_sections
from benchmarks.report.command_line import command_line_sections
from benchmarks.report.loops import loop_sections
from benchmarks.report.peers import peer_sections
from benchmarks.report.provenance import provenance_sections
from benchmarks.report.section import Section
from benchmarks.report.tokenizing import tokenizing_section
from benchmarks.report.trainers import trainer_sections
from benchmarks.results import Results, Run
from benchmarks.targets import targets


def sections(run: Run) -> list[Section]:
    """Return the sections for which the run has measurements."""
    results = run.results
    made = [
        _targets(results, run.cores),
        *peer_sections(results, run.cores),
        *command_line_sections(results),
        tokenizing_section(results),
        *classify_sections(results),
        *trainer_sections(results, run.corpus),
        *loop_sections(results, run.corpus),
        *cluster_sections(results),
        *provenance_sections(run),
    ]
    return [section for section in made if not section.empty]


def _targets(results: Results, cores: int) -> Section:
    verdict = {True: "yes", False: "no", None: "–"}
    rows = [[t.text, t.bar, t.measured, verdict[t.met]] for t in targets(results, cores)]
    return Section(
        "Targets",
        "Ratios are taken on the same documents, the same machine and the same cores.",
        [["", "bar", "measured", "reached"], *rows],
        numbers=False,
    )
