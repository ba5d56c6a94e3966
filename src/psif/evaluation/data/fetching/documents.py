"""Sets of documents: from what their homes serve to rows."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from psif.errors import FormatError
from psif.evaluation.data.fetching.archives import ending, members

Row = dict[str, Any]
Rows = dict[str, list[Row]]
"""Rows by name of split."""


def newsgroups(paths: Iterable[Path]) -> Rows:
    """Read ``20news-bydate-train/GROUP/NUMBER``; messages as they are, bytes as Latin-1."""
    return _folders(paths, {"20news-bydate-train": "train", "20news-bydate-test": "test"})


def ohsumed(paths: Iterable[Path]) -> Rows:
    """Read ``training/C01/NUMBER`` to ``C10``; an abstract of several classes stands in each."""
    rows = _folders(paths, {"training": "train", "test": "test"})
    kept = {f"C{number:02}" for number in range(1, 11)}
    return {split: [row for row in found if row["label"] in kept] for split, found in rows.items()}


def bbcsport(paths: Iterable[Path]) -> Rows:
    """Read ``bbcsport/SPORT/NUMBER.txt``."""
    rows = _folders(paths, {"bbcsport": "all"}).get("all", [])
    return drawn([row for row in rows if row["id"].endswith(".txt")], 517)


def _folders(paths: Iterable[Path], splits: dict[str, str]) -> Rows:
    """Documents that lie as ``SPLIT/CLASS/FILE``, sorted by class and name."""
    rows: Rows = {split: [] for split in splits.values()}
    for path in paths:
        for name, content in members(path):
            place = ending(name, 3)
            if len(place) == 3 and place[0] in splits:
                row = {"id": "/".join(place[1:]), "text": content.decode("latin-1")}
                rows[splits[place[0]]].append({**row, "label": place[1]})
    return {
        split: sorted(found, key=lambda row: row["id"].split("/")) for split, found in rows.items()
    }


def drawn(rows: list[Row], n_train: int) -> Rows:
    """Draw a split of a set that has none; evaluation draws others from the two together."""
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
        (name, content)
        for path in paths
        for name, content in members(path)
        if re.search(r"reut2-\d+\.sgm$", name)
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
    rows: list[Row] = []
    for path in paths:
        for name, content in members(path):
            place = ending(name, 2)
            sentiment = place[-1].removesuffix(".review")
            if len(place) < 2 or sentiment not in ("positive", "negative"):
                continue
            reviews = re.findall(
                r"<review_text>\s*(.*?)\s*</review_text>", content.decode("latin-1"), re.DOTALL
            )
            rows += [
                {"id": f"{place[0]}/{sentiment}/{i}", "text": text, "label": place[0]}
                for i, text in enumerate(reviews)
            ]

    def order(row: Row) -> tuple[str, str, int]:
        domain, sentiment, number = row["id"].split("/")
        return domain, sentiment, int(number)

    return drawn(sorted(rows, key=order), 5600)


def recipe(paths: Iterable[Path]) -> Rows:
    """Read Kaggle's ``train.json``: ingredients of a dish and its cuisine."""
    for path in paths:
        for name, content in members(path):
            if name.endswith("train.json"):
                try:
                    dishes = json.loads(content)
                    rows = [
                        {
                            "id": dish["id"],
                            "text": ", ".join(dish["ingredients"]),
                            "label": dish["cuisine"],
                        }
                        for dish in dishes
                    ]
                except (ValueError, KeyError, TypeError) as error:
                    raise FormatError(f"{path}: not the list of dishes it should be.") from error
                return drawn(rows, 27_841)
    return {}


def lines_by_class(paths: Iterable[Path]) -> Rows:
    """Read ``…train….txt`` and ``…test….txt``, a class, a tab and a text a line."""
    rows: Rows = {"train": [], "test": []}
    for path in paths:
        for name, content in members(path):
            split = next((split for split in rows if split in Path(name).name), None)
            if split is None:
                continue
            for i, line in enumerate(content.decode("utf-8").splitlines()):
                label, _, text = line.partition("\t")
                rows[split].append({"id": i, "text": text.strip(), "label": label})
    return rows


_TREE = re.compile(r"\(|\)|[^\s()]+")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")"}


def sentiment(paths: Iterable[Path]) -> Rows:
    """Read trees of phrases with a label 0 to 4 each; 2 is neither positive nor negative.

    Training phrases come once each, in order of appearance.
    """
    rows: Rows = {"train": [], "train_sentences": [], "dev": [], "test": []}
    for path in paths:
        for name, content in members(path):
            split = Path(name).stem
            if Path(name).suffix != ".txt" or split not in ("train", "dev", "test"):
                continue
            phrases: dict[str, str] = {}
            sentences: list[tuple[str, str]] = []
            for line in content.decode("utf-8").splitlines():
                found = _phrases(line)
                sentences += found[-1:]
                phrases |= dict(found)
            whole = "train_sentences" if split == "train" else split
            rows[whole] = _polar(sentences)
            if split == "train":
                rows["train"] = _polar(phrases.items())
    return rows


def _phrases(line: str) -> list[tuple[str, str]]:
    """Texts and labels of a tree's phrases, the whole sentence last."""
    found: list[tuple[str, str]] = []
    labels: list[str] = []
    words: list[list[str]] = []
    for mark in _TREE.findall(line):
        if mark == "(":
            labels.append("")
            words.append([])
        elif mark == ")":
            phrase = words.pop()
            found.append((" ".join(phrase), labels.pop()))
            if words:
                words[-1] += phrase
        elif not labels[-1]:
            labels[-1] = mark
        else:
            words[-1].append(_BRACKETS.get(mark, mark.replace("\\/", "/")))
    return found


def _polar(phrases: Iterable[tuple[str, str]]) -> list[Row]:
    kept = [(text.lower(), int(label) > 2) for text, label in phrases if label != "2"]
    return [{"id": i, "text": text, "label": int(good)} for i, (text, good) in enumerate(kept)]
