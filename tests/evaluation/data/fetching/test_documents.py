import json

from psif.evaluation.data.fetching import documents
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


def test_twitter_and_classic_are_found_in_an_archive(tmp_path):
    path = zipped(
        tmp_path / "P-SIF.zip",
        {
            "P-SIF-1/other_datasets/twitter/all_twitter_by_line.txt": "positive\tfine day\n",
            "P-SIF-1/other_datasets/classic/classic/med.000002": b"caf\xe9",
            "P-SIF-1/other_datasets/classic/classic/cran.000001": "wings",
            "P-SIF-1/other_datasets/classic/process.py": "no",
        },
    )
    tweet = {"id": 0, "text": "fine day", "label": "positive"}
    assert documents.twitter([path]) == {"train": [tweet], "test": []}
    assert documents.classic([path])["train"] == [
        {"id": "cran.000001", "text": "wings", "label": "cran"},
        {"id": "med.000002", "text": "café", "label": "med"},
    ]


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


def test_sentiment(tmp_path):
    (tmp_path / "sentiment-train").write_text("so good \t1\nbad\t0\n")
    (tmp_path / "sentiment-dev").write_text("a\tb \t1\n")
    (tmp_path / "stsa.binary.train").write_text("0 bad film .\n")
    rows = documents.sentiment(sorted(tmp_path.iterdir()))
    assert [(row["text"], row["label"]) for row in rows["train"]] == [("so good", 1), ("bad", 0)]
    assert rows["dev"] == [{"id": 0, "text": "a\tb", "label": 1}]
    assert rows["train_sentences"] == [{"id": 0, "text": "bad film .", "label": 0}]
    assert rows["test"] == []
