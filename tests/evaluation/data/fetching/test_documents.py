import json

import pytest

from psif.errors import FormatError
from psif.evaluation.data.fetching import documents
from psif.evaluation.data.fetching.archives import members
from tests.evaluation.data.fetching.packing import tarred, zipped


def test_newsgroups(tmp_path):
    path = tarred(
        tmp_path / "n.tar.gz",
        {
            "20news-bydate-train/sci.med/9": "nine",
            "20news-bydate-train/sci.med/10": b"caf\xe9",
            "20news-bydate-train/alt.x/7": "seven",
            "20news-bydate-test/alt.x/8": "eight",
            "README": "no",
        },
    )
    rows = documents.newsgroups([path])
    # Sorted as strings: 10 before 9.
    assert [row["id"] for row in rows["train"]] == ["alt.x/7", "sci.med/10", "sci.med/9"]
    assert rows["train"][1] == {"id": "sci.med/10", "text": "café", "label": "sci.med"}
    assert [row["text"] for row in rows["test"]] == ["eight"]


def test_ohsumed_has_the_first_ten_classes(tmp_path):
    names = ["training/C01/1", "training/C11/1", "test/C10/2", "test/C23/2"]
    path = tarred(tmp_path / "o.tar.gz", {f"ohsumed-first-20000-docs/{n}": n for n in names})
    rows = documents.ohsumed([path])
    assert [row["id"] for row in rows["train"] + rows["test"]] == ["C01/1", "C10/2"]


SGML = """<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="5544" NEWID="1">
<TOPICS><D>cocoa</D><D>tea</D></TOPICS>
<TEXT>&#2;
<TITLE>BAHIA &lt;COCOA> REVIEW</TITLE>
<BODY>Showers continued.
    More rain.
 Reuter
&#3;</BODY></TEXT>
</REUTERS>
<REUTERS TOPICS="YES" LEWISSPLIT="TEST" NEWID="2">
<TOPICS><D>tea</D></TOPICS>
<TEXT TYPE="BRIEF">&#2;<TITLE>ONLY A TITLE</TITLE></TEXT></REUTERS>
<REUTERS TOPICS="NO" LEWISSPLIT="TRAIN" NEWID="3"><TOPICS></TOPICS>
<TEXT><TITLE>REST</TITLE><BODY>It is.</BODY></TEXT></REUTERS>
"""


def test_reuters(tmp_path):
    path = tarred(tmp_path / "r.tar.gz", {"reut2-000.sgm": SGML, "lewis.dtd": "<REUTERS>"})
    rows = documents.reuters([path])
    assert rows["train"] == [
        {
            "id": 1,
            "text": "BAHIA <COCOA> REVIEW\nShowers continued.\n    More rain.",
            "labels": ["cocoa", "tea"],
            "type": "NORM",
        }
    ]
    assert (rows["test"][0]["text"], rows["test"][0]["type"]) == ("ONLY A TITLE", "BRIEF")
    assert rows["rest"][0]["topics_attr"] == "NO"


def test_amazon_takes_the_domain_as_class(tmp_path):
    review = "<review>\n<title>t</title>\n<review_text>\nGood {}.\n</review_text>\n</review>\n"
    path = tarred(
        tmp_path / "a.tar.gz",
        {
            "sorted_data_acl/dvd/positive.review": "".join(review.format(i) for i in range(11)),
            "sorted_data_acl/books/negative.review": review.format("b"),
            "sorted_data_acl/books/unlabeled.review": review.format("u"),
        },
    )
    rows = documents.amazon([path])
    assert len(rows["train"]) == 12
    assert rows["train"][0] == {"id": "books/negative/0", "text": "Good b.", "label": "books"}
    # Numbers in order, not as strings.
    assert [row["id"] for row in rows["train"][-2:]] == ["dvd/positive/9", "dvd/positive/10"]


def test_recipe(tmp_path):
    dishes = [{"id": 3, "cuisine": "greek", "ingredients": ["olives", "feta cheese"]}]
    path = zipped(tmp_path / "train.json.zip", {"train.json": json.dumps(dishes)})
    row = {"id": 3, "text": "olives, feta cheese", "label": "greek"}
    assert documents.recipe([path]) == {"train": [row], "test": []}
    zipped(path, {"train.json": "{}{"})
    with pytest.raises(FormatError, match="not the list of dishes"):
        documents.recipe([path])


def test_a_drawn_split_keeps_the_order_and_every_row():
    rows = [{"id": i} for i in range(20)]
    found = documents.drawn(rows, 14)
    assert [len(found["train"]), len(found["test"])] == [14, 6]
    assert all(part == sorted(part, key=lambda row: row["id"]) for part in found.values())
    assert sorted(row["id"] for part in found.values() for row in part) == list(range(20))


def test_lines_by_class(tmp_path):
    (tmp_path / "r8-train-all-terms.txt").write_text("earn\tnet rose\nacq\tbuys\n")
    (tmp_path / "r8-test-all-terms.txt").write_text("earn\tloss\n")
    rows = documents.lines_by_class(sorted(tmp_path.iterdir()))
    assert rows["train"][1] == {"id": 1, "text": "buys", "label": "acq"}
    assert len(rows["test"]) == 1


def test_phrases_of_trees(tmp_path):
    trees = (
        "(3 (2 It) (4 (3 really) (4 (2 -LRB-) (4 Shines))))\n(2 (2 so) (2 so))\n(1 (0 bad) (2 .))\n"
    )
    path = zipped(
        tmp_path / "t.zip",
        {"trees/train.txt": trees, "trees/dev.txt": trees, "trees/test.txt": "(4 Good)\n"},
    )
    rows = documents.sentiment([path])
    assert [(row["text"], row["label"]) for row in rows["train"]] == [
        ("really", 1), ("shines", 1), ("( shines", 1), ("really ( shines", 1),
        ("it really ( shines", 1), ("bad", 0), ("bad .", 0),
    ]  # fmt: skip
    assert [row["text"] for row in rows["train_sentences"]] == ["it really ( shines", "bad ."]
    assert rows["dev"] == rows["train_sentences"]
    assert rows["test"] == [{"id": 0, "text": "good", "label": 1}]


def test_a_damaged_archive_is_named(tmp_path):
    path = tarred(tmp_path / "n.tar.gz", {"20news-bydate-train/a/1": "x" * 100_000})
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(FormatError, match=r"n\.tar\.gz: a damaged archive"):
        list(members(path))
