"""Sets of documents: from the files of their sources to rows."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from psif.evaluation.data.fetching.archives import ending, lines_of, members

Row = dict[str, Any]
Rows = dict[str, list[Row]]
"""Rows by name of split."""


def newsgroups(paths: Iterable[Path]) -> Rows:
    """Read ``20news-bydate-train/GROUP/NUMBER``; messages as they are, bytes as Latin-1."""
    return _folders(paths, {"20news-bydate-train": "train", "20news-bydate-test": "test"})


def ohsumed(paths: Iterable[Path]) -> Rows:
    """Read ``training/C01/NUMBER`` to ``C10``; an abstract of several classes is in each."""
    rows = _folders(paths, {"training": "train", "test": "test"})
    kept = {f"C{number:02}" for number in range(1, 11)}
    return {split: [row for row in found if row["label"] in kept] for split, found in rows.items()}


def bbcsport(paths: Iterable[Path]) -> Rows:
    """Read ``bbcsport/SPORT/NUMBER.txt``."""
    rows = _folders(paths, {"bbcsport": "all"}).get("all", [])
    return drawn([row for row in rows if row["id"].endswith(".txt")], 517)


def _folders(paths: Iterable[Path], splits: dict[str, str]) -> Rows:
    """Documents in files ``SPLIT/CLASS/FILE``, sorted by class and name."""

    def wanted(name: str) -> bool:
        place = ending(name, 3)
        return len(place) == 3 and place[0] in splits

    rows: Rows = {split: [] for split in splits.values()}
    for path in paths:
        for name, content in members(path, wanted):
            split, label, file = ending(name, 3)
            row = {"id": f"{label}/{file}", "text": content.decode("latin-1"), "label": label}
            rows[splits[split]].append(row)
    return {
        split: sorted(found, key=lambda row: row["id"].split("/")) for split, found in rows.items()
    }


_ABSTRACT = re.compile(r"classic/(?P<id>(?P<label>cacm|cisi|cran|med)\.\d+)$")


def classic(paths: Iterable[Path]) -> Rows:
    """Read ``classic/COLLECTION.NUMBER``, one abstract per file."""
    rows: list[Row] = []
    for path in paths:
        for name, content in members(path, lambda name: _ABSTRACT.search(name) is not None):
            found = _ABSTRACT.search(name)
            assert found is not None
            rows.append(
                {"id": found["id"], "text": content.decode("latin-1"), "label": found["label"]}
            )
    return drawn(sorted(rows, key=lambda row: str(row["id"])), 4966)


def twitter(paths: Iterable[Path]) -> Rows:
    """Read ``all_twitter_by_line.txt``: a class, a tab and a message per line."""
    for _, lines in lines_of(paths, lambda name: name.endswith("all_twitter_by_line.txt")):
        return drawn(_labelled_lines(lines), 2180)
    return {}


def _labelled_lines(lines: Iterable[str]) -> list[Row]:
    rows = []
    for i, line in enumerate(lines):
        label, _, text = line.partition("\t")
        rows.append({"id": i, "text": text.strip(), "label": label})
    return rows


def drawn(rows: list[Row], n_train: int) -> Rows:
    """Draw a split for a set that has none; evaluation draws more from the two together."""
    order = list(range(len(rows)))
    random.Random(0).shuffle(order)
    chosen = set(order[:n_train])
    return {
        "train": [row for i, row in enumerate(rows) if i in chosen],
        "test": [row for i, row in enumerate(rows) if i not in chosen],
    }


_ARTICLE = re.compile(r"<REUTERS(?P<attributes>[^>]*)>(?P<body>.*?)</REUTERS>", re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
# All but tabs and line ends.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LAST_LINE = re.compile(r"\s*\n?\s*reuter\s*$", re.IGNORECASE)


def reuters(paths: Iterable[Path]) -> Rows:
    """Read the SGML files; ModApte's training and test articles, and the rest."""
    rows: Rows = {"train": [], "test": [], "rest": []}
    files = sorted(
        found
        for path in paths
        for found in members(path, lambda name: re.search(r"reut2-\d+\.sgm$", name) is not None)
    )
    for _, content in files:
        for article in _ARTICLE.finditer(content.decode("latin-1")):
            known = dict(_ATTRIBUTE.findall(article["attributes"]))
            row = _article(article["body"], known)
            split = {"TRAIN": "train", "TEST": "test"}.get(known.get("LEWISSPLIT", ""), "rest")
            if known.get("TOPICS") != "YES":
                split = "rest"
            if split == "rest":
                row |= {"lewissplit": known.get("LEWISSPLIT"), "topics_attr": known.get("TOPICS")}
            rows[split].append(row)
    return rows


def _article(body: str, known: dict[str, str]) -> Row:
    def part(name: str) -> str:
        found = re.search(f"<{name}>(.*?)</{name}>", body, re.DOTALL)
        return _CONTROLS.sub("", html.unescape(found[1])).strip() if found else ""

    kind = re.search(r'<TEXT TYPE="(\w+)"', body)
    text = part("BODY")
    if kind is not None and kind[1] == "UNPROC":
        text = part('TEXT TYPE="UNPROC"') or re.sub(r"<[^>]*>", "", body[kind.end() + 1 :])
    topics = re.search(r"<TOPICS>(.*?)</TOPICS>", body, re.DOTALL)
    text = "\n".join(filter(None, [part("TITLE"), _LAST_LINE.sub("", text)]))
    return {
        "id": int(known.get("NEWID", 0)),
        "text": text,
        "labels": re.findall(r"<D>(.*?)</D>", topics[1]) if topics else [],
        "type": kind[1] if kind else "NORM",
    }


def amazon(paths: Iterable[Path]) -> Rows:
    """Read ``DOMAIN/negative.review`` and ``positive.review``; the domain is the class."""

    def wanted(name: str) -> bool:
        return re.search(r"/(positive|negative)\.review$", name) is not None

    rows: list[Row] = []
    for path in paths:
        for name, content in members(path, wanted):
            domain, file = ending(name, 2)
            sentiment = file.removesuffix(".review")
            reviews = re.findall(
                r"<review_text>\s*(.*?)\s*</review_text>",
                content.decode("utf-8", "replace"),
                re.DOTALL,
            )
            rows += [
                {"id": f"{domain}/{sentiment}/{i}", "text": text, "label": domain}
                for i, text in enumerate(reviews)
            ]

    def order(row: Row) -> tuple[str, str, int]:
        domain, sentiment, number = row["id"].split("/")
        return domain, sentiment, int(number)

    return drawn(sorted(rows, key=order), 5600)


def recipe(paths: Iterable[Path]) -> Rows:
    """Read Kaggle's ``train.json``: the ingredients of a dish and its cuisine."""
    for path in paths:
        for _, content in members(path, lambda name: name.endswith("train.json")):
            rows = [
                {"id": dish["id"], "text": ", ".join(dish["ingredients"]), "label": dish["cuisine"]}
                for dish in json.loads(content)
            ]
            return drawn(rows, 27_841)
    return {}


def lines_by_class(paths: Iterable[Path]) -> Rows:
    """Read files with ``train`` and ``test`` in their names: class, tab and text per line."""
    rows: Rows = {"train": [], "test": []}
    for name, lines in lines_of(paths):
        split = next((split for split in rows if split in Path(name).name), None)
        if split is not None:
            rows[split] = _labelled_lines(lines)
    return rows


def sentiment(paths: Iterable[Path]) -> Rows:
    """Read ``sentiment-SPLIT`` (text, tab, 0 or 1) and ``stsa.binary.train`` (0 or 1, text).

    The training phrases are in the first, whole training sentences in the second.
    """
    rows: Rows = {"train": [], "train_sentences": [], "dev": [], "test": []}
    for name, lines in lines_of(paths):
        file = Path(name).name
        if file == "stsa.binary.train":
            split, pairs = "train_sentences", [line.split(" ", 1) for line in lines]
        elif file.removeprefix("sentiment-") in rows and file.startswith("sentiment-"):
            split = file.removeprefix("sentiment-")
            pairs = [line.rsplit("\t", 1)[::-1] for line in lines]
        else:
            continue
        rows[split] = [
            {"id": i, "text": text.strip(), "label": int(label)}
            for i, (label, text) in enumerate(pairs)
        ]
    return rows
