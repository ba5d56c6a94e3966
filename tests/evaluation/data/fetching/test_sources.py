"""Every source, served by a local server in the layout that it has, gives our copies again."""

import json
import os
import random
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from psif.evaluation.data.fetching import fetch as fetching
from psif.evaluation.data.fetching.contents import content_sha256, expected_contents
from psif.evaluation.data.fetching.fetch import fetch
from psif.evaluation.data.fetching.sources import SOURCES
from psif.evaluation.data.folders import read_rows
from tests.evaluation.data.fetching.packing import tarred, zipped

needs_data = pytest.mark.skipif(
    not os.environ.get("PSIF_DATA"), reason="PSIF_DATA names no folder with the evaluation sets"
)
AUTHORS = "P-SIF-df8e89fd8b7ac83f1889a04efd7f58a9278ef50b"
# Sets whose split is drawn: all rows must be there to draw it again.
DRAWN = {"bbcsport", "twitter_sentiment", "classic4", "amazon", "recipe_l"}
FEW = 40


def rows_of(folder):
    names = [name for name in expected_contents() if name.rpartition("/")[0] == folder]
    rows = {}
    for name in names:
        found = list(read_rows(name))
        rows[name.rpartition("/")[2]] = found if folder in DRAWN else found[:FEW]
    return rows


def together(rows):
    return [row for split in rows.values() for row in split]


def newsgroups(rows):
    return {
        "20news-bydate.tar.gz": {
            f"20news-bydate-{split}/{row['id']}": row["text"].encode("latin-1")
            for split, found in rows.items()
            for row in found
        }
    }


def reuters(rows):
    articles = []
    for split, found in rows.items():
        for row in found:
            lewis = {"train": "TRAIN", "test": "TEST"}.get(split) or row["lewissplit"]
            topics = row.get("topics_attr", "YES")
            title, _, body = _escaped(row["text"]).partition("\n")
            labels = "".join(f"<D>{label}</D>" for label in row["labels"])
            kind = "" if row["type"] == "NORM" else f' TYPE="{row["type"]}"'
            articles.append(
                f'<REUTERS TOPICS="{topics}" LEWISSPLIT="{lewis}" NEWID="{row["id"]}">\n'
                f"<TOPICS>{labels}</TOPICS>\n<TEXT{kind}>&#2;\n<TITLE>{title}</TITLE>"
                f"<BODY>{body}\n Reuter\n&#3;</BODY></TEXT>\n</REUTERS>\n"
            )
    return {"reuters21578.tar.gz": {"reut2-000.sgm": "".join(articles), "lewis.dtd": "x"}}


def _escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def bbcsport(rows):
    base = f"{AUTHORS}/other_datasets/bbcsport/bbcsport"
    files = {f"{base}/{row['id']}": row["text"].encode("latin-1") for row in together(rows)}
    return {"P-SIF.zip": files | {f"{base}/.DS_Store": b"\0"}}


def twitter(rows):
    lines = sorted(together(rows), key=lambda row: row["id"])
    text = "".join(f"{row['label']}\t{row['text']}\n" for row in lines)
    return {"P-SIF.zip": {f"{AUTHORS}/other_datasets/twitter/all_twitter_by_line.txt": text}}


def classic(rows):
    base = f"{AUTHORS}/other_datasets/classic/classic"
    return {
        "P-SIF.zip": {
            f"{base}/{row['id']}": row["text"].encode("latin-1") for row in together(rows)
        }
    }


def amazon(rows):
    files = {}
    ordered = sorted(together(rows), key=lambda row: int(row["id"].split("/")[2]))
    for row in ordered:
        domain, sentiment, _ = row["id"].split("/")
        name = f"{AUTHORS}/other_datasets/amazon/sorted_data_acl/{domain}/{sentiment}.review"
        review = f"<review>\n<review_text>\n{row['text']}\n</review_text>\n</review>\n"
        files[name] = files.get(name, b"") + review.encode()
    return {"P-SIF.zip": files}


def ohsumed(rows):
    base = "ohsumed-classification-c64aa2746fc0eb79b45b51146a1fd4284aa88574"
    folders = {"train": "training", "test": "test"}
    return {
        "ohsumed-classification.zip": {
            f"{base}/ohsumed-first-20000-docs/{folders[split]}/{row['id']}": row["text"].encode(
                "latin-1"
            )
            for split, found in rows.items()
            for row in found
        }
        | {f"{base}/ohsumed-first-20000-docs/training/C11/1": "of another class"}
    }


def r8(rows):
    return {
        f"{split}.txt": "".join(f"{row['label']}\t{row['text']} \n" for row in found)
        for split, found in rows.items()
    }


def recipe(rows):
    dishes = [
        {"id": row["id"], "cuisine": row["label"], "ingredients": row["text"].split(", ")}
        for row in _drawn_order([*rows["train"], *rows["test"]])
    ]
    return {"train.json.zip": {"train.json": json.dumps(dishes)}}


def _drawn_order(rows):
    """Rows in the order that they had before the split was drawn."""
    order = list(range(len(rows)))
    random.Random(0).shuffle(order)
    chosen = sorted(order[:27_841])
    others = sorted(order[27_841:])
    places = dict(zip([*chosen, *others], rows, strict=True))
    return [places[i] for i in range(len(rows))]


def year(number):
    def pack(rows):
        base = f"{AUTHORS}/STS/SentEval/data/senteval_data/STS"
        files = {f"{base}/STS99-en-test/STS.input.other.txt": "a\tb\n"}
        for part, found in rows.items():
            place = f"{base}/STS{number}-en-test"
            pairs = "".join(f"{row['text_a']}\t{row['text_b']}\n" for row in found)
            files[f"{place}/STS.input.{part}.txt"] = pairs
            files[f"{place}/STS.gs.{part}.txt"] = "".join(f"{row['score']}\n" for row in found)
        return {"P-SIF.zip": files}

    return pack


def benchmark(rows):
    base = f"{AUTHORS}/STS/SentEval/data/senteval_data/STS/STSBenchmark"
    return {
        "P-SIF.zip": {
            f"{base}/sts-{split}.csv": "".join(
                f"{row['genre']}\t{row['file']}\t{row['year']}\t{i:04}\t{row['score']}\t"
                f"{row['text_a']}\t{row['text_b']}\n"
                for i, row in enumerate(found)
            )
            for split, found in rows.items()
        }
    }


def sick(rows):
    header = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    names = {"train": "train", "trial": "trial", "test": "test_annotated"}
    return {
        f"SICK_{names[split]}.txt": header
        + "".join(
            f"{row['id']}\t{row['text_a']}\t{row['text_b']}\t{row['score']}\t{row['label']}\n"
            for row in found
        )
        for split, found in rows.items()
    }


def tweets(rows):
    return {
        f"{split}.data": "".join(
            f"{row['id'].split('-')[0]}\t{row['topic']}\t{row['text_a']}\t{row['text_b']}\t"
            + (f"({row['score']}, {5 - row['score']})" if split == "dev" else str(row["score"]))
            + "\ttags\ttags\n"
            for row in found
        )
        for split, found in rows.items()
    }


def sentiment(rows):
    files = {
        f"sentiment-{split}": "".join(f"{row['text']} \t{row['label']}\n" for row in found)
        for split, found in rows.items()
        if split != "train_sentences"
    }
    whole = "".join(f"{row['label']} {row['text']}\n" for row in rows["train_sentences"])
    return files | {"stsa.binary.train": whole}


LAYOUTS = {
    "20news_bydate": newsgroups, "reuters21578_modapte": reuters, "bbcsport": bbcsport,
    "twitter_sentiment": twitter, "ohsumed10": ohsumed, "classic4": classic, "reuters_r8": r8,
    "amazon": amazon, "recipe_l": recipe, "stsb": benchmark, "sick": sick, "pit2015": tweets,
    "sst2": sentiment, **{f"sts/STS{n}": year(n) for n in (12, 13, 14, 15, 16)},
}  # fmt: skip


def test_every_source_has_a_layout_to_be_tested_in():
    assert set(LAYOUTS) == set(SOURCES)


@needs_data
@pytest.mark.parametrize("folder", LAYOUTS)
def test_a_set_served_as_its_source_serves_it_is_our_copy_again(
    folder, server, tmp_path, monkeypatch
):
    rows = rows_of(folder)
    source = SOURCES[folder]
    expected = {
        f"{folder}/{split}": {"rows": len(found), "sha256": content_sha256(found)}
        for split, found in rows.items()
    }
    monkeypatch.setattr(fetching, "expected_contents", lambda: expected)
    served = LAYOUTS[folder](rows)
    if source.files:
        assert set(served) == {remote.name for remote in source.files}
    paths = {}
    for name, content in served.items():
        if isinstance(content, dict):
            pack = zipped if name.endswith("zip") else tarred
            paths[name] = pack(tmp_path / name, content)
        else:
            paths[name] = tmp_path / name
            paths[name].write_text(content, encoding="utf-8")
        server.files[f"/{folder}/{name}"] = paths[name].read_bytes()
    if not source.files:
        found = fetch(source, files=list(paths.values()), root=tmp_path / "data")
    else:
        remotes = tuple(
            remote._replace(url=f"{server.url}/{folder}/{remote.name}", sha256=None)
            for remote in source.files
        )
        found = fetch(replace(source, files=remotes), root=tmp_path / "data")
        assert len(server.asked) == len(remotes)
    assert found.differs == []
    assert found.rows == {split: len(part) for split, part in rows.items()}


def test_addresses_are_https_and_fixed():
    for source in SOURCES.values():
        for remote in source.files:
            address = urlsplit(remote.url)
            assert address.scheme == "https"
            # A digest of the file, or the commit of a repository in its path.
            commit = [part for part in address.path.split("/") if len(part) == 40]
            assert remote.sha256 or len(commit) == 1, remote.url


def test_a_source_without_an_address_says_what_to_do():
    assert [s.folder for s in SOURCES.values() if not s.files] == ["recipe_l"]
    assert "kaggle.com" in SOURCES["recipe_l"].advice
