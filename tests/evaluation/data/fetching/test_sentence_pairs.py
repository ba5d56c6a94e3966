from psif.evaluation.data.fetching import sentence_pairs
from tests.evaluation.data.fetching.packing import tarred, zipped


def test_a_year_of_similarity(tmp_path):
    folder = "sts2015/test_evaluation_task2a"
    path = zipped(
        tmp_path / "s.zip",
        {
            f"{folder}/STS.input.belief.txt": "a b\tc d\ne\tf\ng\th\n",
            f"{folder}/STS.gs.belief.txt": "4.2\n\n0\n",
            f"{folder}/STS.input.surprise.OnWN.txt": "x\ty\n",
            f"{folder}/STS.gs.surprise.OnWN.txt": "1\n",
            f"{folder}/STS.gs.ALL.txt": "4\n",
            f"{folder}/correlation.pl": "no",
            "__MACOSX/STS.input.belief.txt": "junk\tjunk\n",
        },
    )
    rows = sentence_pairs.similarity_year([path], year=15)
    assert list(rows) == ["OnWN", "belief"]
    # The pair without a score is left out; numbers are those of the lines.
    assert rows["belief"] == [
        {"id": "belief/0", "text_a": "a b", "text_b": "c d", "score": 4.2},
        {"id": "belief/2", "text_a": "g", "text_b": "h", "score": 0.0},
    ]


def test_the_benchmark(tmp_path):
    line = 'main-captions\tMSRvid\t2012test\t0001\t5.000\tA plane.\tAn "air plane.\n'
    files = {f"stsbenchmark/sts-{split}.csv": line for split in ("train", "dev", "test")}
    rows = sentence_pairs.similarity_benchmark([tarred(tmp_path / "b.tar.gz", files)])
    assert list(rows) == ["train", "dev", "test"]
    (row,) = rows["dev"]
    assert row["id"] == "main-captions-MSRvid-2012test-0001"
    assert (row["text_a"], row["text_b"], row["score"]) == ("A plane.", 'An "air plane.', 5.0)


def test_years_of_one_archive_are_told_apart(tmp_path):
    files = {}
    for year in (12, 13):
        files[f"r/STS{year}-en-test/STS.input.OnWN.txt"] = f"in {year}\tb\n"
        files[f"r/STS{year}-en-test/STS.gs.OnWN.txt"] = "1\n"
    path = zipped(tmp_path / "r.zip", files)
    rows = sentence_pairs.similarity_year([path], year=13)
    assert [row["text_a"] for row in rows["OnWN"]] == ["in 13"]


def test_sick(tmp_path):
    header = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    (tmp_path / "SICK_train.txt").write_text(header + '1\tA boy\tA "girl\t4.5\tNEUTRAL\n')
    (tmp_path / "SICK_test_annotated.txt").write_text(header + "7\tx\ty\t1\tENTAILMENT\n")
    rows = sentence_pairs.sick(sorted(tmp_path.iterdir()))
    assert rows["train"] == [
        {"id": "1", "text_a": "A boy", "text_b": 'A "girl', "score": 4.5, "label": "NEUTRAL"}
    ]
    assert [len(rows[split]) for split in ("train", "trial", "test")] == [1, 0, 1]


def test_tweets(tmp_path):
    def lines(labels):
        return "".join(f"17\tA Walk\tleft\tright\t{label}\ttags\ttags\n" for label in labels)

    files = {
        "x/data/dev.data": lines(["(3, 2)", "(2, 3)", "(0, 5)"]),
        "x/data/test.data": lines(["4", "3", "2"]),
        "x/data/train.data": lines(["(5, 0)"]),
    }
    rows = sentence_pairs.tweets([zipped(tmp_path / "t.zip", files)])
    names = ["paraphrase", "debatable", "non-paraphrase"]
    assert [row["label"] for row in rows["dev"]] == names
    assert [row["label"] for row in rows["test"]] == names
    assert [row["score"] for row in rows["dev"]] == [3, 2, 0]
    assert rows["test"][1]["id"] == "17-1"
    assert set(rows) == {"dev", "test"}
