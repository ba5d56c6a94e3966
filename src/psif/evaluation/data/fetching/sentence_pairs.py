"""Sets of pairs: from the files of their sources to rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from pathlib import Path

from psif.evaluation.data.fetching.archives import lines_of
from psif.evaluation.data.fetching.documents import Rows

_STS = re.compile(r"STS\.(?P<kind>input|gs)\.(?P<part>[\w.-]+)\.txt$")
_YEAR = re.compile(r"STS(\d\d)-en-test/")
_NOT_PARTS = ("ALL", "SMT")


def similarity_year(paths: Iterable[Path], *, year: int) -> Rows:
    """Read ``STS.input.PART.txt`` and ``STS.gs.PART.txt``; pairs without a score are left out.

    An archive of several years has them in folders ``STS12-en-test`` and so on.
    """

    def wanted(name: str) -> bool:
        folder = _YEAR.search(name)
        # Copies that macOS makes repeat the names.
        return (
            _STS.search(name) is not None
            and "__MACOSX" not in name
            and (folder is None or int(folder[1]) == year)
        )

    found: dict[str, dict[str, list[str]]] = {"input": {}, "gs": {}}
    for name, lines in lines_of(paths, wanted):
        file = _STS.search(name)
        assert file is not None
        found[file["kind"]][file["part"].removeprefix("surprise.")] = lines
    rows: Rows = {}
    for part in sorted(set(found["input"]) & set(found["gs"]) - set(_NOT_PARTS)):
        rows[part] = []
        pairs = zip(found["input"][part], found["gs"][part], strict=False)
        for number, (line, score) in enumerate(pairs):
            sentences = line.split("\t")
            if score.strip() and len(sentences) > 1:
                row = {"id": f"{part}/{number}", "text_a": sentences[0], "text_b": sentences[1]}
                rows[part].append({**row, "score": float(score)})
    return rows


def similarity_benchmark(paths: Iterable[Path]) -> Rows:
    """Read ``sts-train.csv`` and so on: genre, file, year, number, score and two sentences."""
    rows: Rows = {}
    for name, lines in lines_of(paths, lambda name: _BENCHMARK.search(name) is not None):
        file = _BENCHMARK.search(name)
        assert file is not None
        rows[file[1]] = [
            {
                "id": "-".join(row[:4]),
                "text_a": row[5],
                "text_b": row[6],
                "score": float(row[4]),
                "genre": row[0],
                "file": row[1],
                "year": row[2],
            }
            for row in (line.split("\t") for line in lines)
            if len(row) > 6
        ]
    return rows


_BENCHMARK = re.compile(r"sts-(train|dev|test)\.csv$")
_SICK = re.compile(r"SICK_(train|trial|test_annotated)\.txt$")


def sick(paths: Iterable[Path]) -> Rows:
    """Read the three files of SemEval 2014: ``SICK_train.txt``, trial and test_annotated."""
    rows: Rows = {"train": [], "trial": [], "test": []}
    for name, lines in lines_of(paths, lambda name: _SICK.search(name) is not None):
        file = _SICK.search(name)
        assert file is not None
        rows[file[1].removesuffix("_annotated")] = [
            {
                "id": row["pair_ID"],
                "text_a": row["sentence_A"],
                "text_b": row["sentence_B"],
                "score": float(row["relatedness_score"]),
                "label": row["entailment_judgment"].strip(),
            }
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]
    return rows


def tweets(paths: Iterable[Path]) -> Rows:
    """Read ``dev.data`` (votes of five such as "(3, 2)") and ``test.data`` (a score of 0 to 5)."""
    rows: Rows = {}
    for name, lines in lines_of(paths, lambda name: name.endswith(".data")):
        split = Path(name).name.removesuffix(".data")
        if split not in ("dev", "test"):
            continue
        rows[split] = []
        for line in lines:
            topic, title, left, right, votes, *_ = line.split("\t")
            score = int(re.findall(r"\d", votes)[0])
            # Two of five voters, three of an expert's five points: debatable.
            middle = 2 if split == "dev" else 3
            label = "paraphrase" if score > middle else "non-paraphrase"
            rows[split].append(
                {
                    "id": f"{topic}-{len(rows[split])}", "topic": title,
                    "text_a": left, "text_b": right, "score": score,
                    "label": "debatable" if score == middle else label,
                }
            )  # fmt: skip
    return rows
