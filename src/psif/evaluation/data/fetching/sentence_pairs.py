"""Sets of pairs: from what their homes serve to rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from pathlib import Path

from psif.evaluation.data.fetching.archives import members
from psif.evaluation.data.fetching.documents import Rows

_STS_INPUT = re.compile(r"STS\.input\.(?P<part>[\w.-]+)\.txt$")
_STS_SCORES = re.compile(r"STS\.gs\.(?P<part>[\w.-]+)\.txt$")
_NOT_PARTS = ("ALL", "SMT")


def similarity_year(paths: Iterable[Path]) -> Rows:
    """Read ``STS.input.PART.txt`` and ``STS.gs.PART.txt``; pairs without a score are left out."""
    texts: dict[str, list[str]] = {}
    scores: dict[str, list[str]] = {}
    for path in paths:
        for name, content in members(path):
            # Files for other systems repeat the names.
            if "__MACOSX" in name:
                continue
            for pattern, found in ((_STS_INPUT, texts), (_STS_SCORES, scores)):
                match = pattern.search(name)
                if match:
                    part = match["part"].removeprefix("surprise.")
                    found[part] = content.decode("utf-8").splitlines()
    rows: Rows = {}
    for part in sorted(set(texts) & set(scores) - set(_NOT_PARTS)):
        rows[part] = []
        for number, (line, score) in enumerate(zip(texts[part], scores[part], strict=False)):
            sentences = line.split("\t")
            if score.strip() and len(sentences) > 1:
                row = {"id": f"{part}/{number}", "text_a": sentences[0], "text_b": sentences[1]}
                rows[part].append({**row, "score": float(score)})
    return rows


def similarity_benchmark(paths: Iterable[Path]) -> Rows:
    """Read ``sts-train.csv`` and so on: genre, file, year, number, score and two sentences."""
    rows: Rows = {}
    for path in paths:
        for name, content in members(path):
            match = re.search(r"sts-(train|dev|test)\.csv$", name)
            if match is None:
                continue
            cells = [line.split("\t") for line in content.decode("utf-8").splitlines()]
            rows[match[1]] = [
                {
                    "id": "-".join(row[:4]),
                    "text_a": row[5],
                    "text_b": row[6],
                    "score": float(row[4]),
                    "genre": row[0],
                    "file": row[1],
                    "year": row[2],
                }
                for row in cells
                if len(row) > 6
            ]
    return rows


def sick(paths: Iterable[Path]) -> Rows:
    """Read ``SICK.txt``, whose last column names the split."""
    rows: Rows = {"train": [], "trial": [], "test": []}
    for path in paths:
        for name, content in members(path):
            if not name.endswith("SICK.txt"):
                continue
            lines = content.decode("utf-8").splitlines()
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                rows[row["SemEval_set"].strip().lower()].append(
                    {
                        "id": row["pair_ID"],
                        "text_a": row["sentence_A"],
                        "text_b": row["sentence_B"],
                        "score": float(row["relatedness_score"]),
                        "label": row["entailment_label"],
                    }
                )
    return rows


def tweets(paths: Iterable[Path]) -> Rows:
    """Read ``dev.data`` (votes of five such as "(3, 2)") and ``test.data`` (a score of 0 to 5)."""
    rows: Rows = {}
    for path in paths:
        for name, content in members(path):
            split = Path(name).name.removesuffix(".data")
            if split not in ("dev", "test") or not name.endswith(".data"):
                continue
            rows[split] = []
            for line in content.decode("utf-8").splitlines():
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
