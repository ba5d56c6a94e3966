"""``psif index`` and ``psif search``."""

import json

import pytest

from tests.cli.conftest import make_docs, write_jsonl


@pytest.fixture
def index(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", make_docs(60))
    run("index", "docs.jsonl", "-o", "docs.index")
    return "docs.index"


def hits(result):
    return json.loads(result.stdout)


def test_search_shows_text_and_reason(run, index):
    shown = run("search", index, "ships in a storm", "-n", 2).stdout
    assert shown.startswith("1. sea-")
    assert "**ship**" in shown
    assert "**storm**" in shown
    assert "why: " in shown
    assert "topics +" in shown
    assert "n=" in shown


def test_json_has_parts_that_sum_to_the_score(run, index):
    found = hits(run("search", index, "ship storm", "--json", "--explain"))
    assert len(found) == 10
    for hit in found:
        assert hit["lexical"] + hit["dense"] == pytest.approx(hit["score"], abs=1e-9)
        parts = hit["explanation"]
        total = sum(part["share"] for part in [*parts["lexical"], *parts["topics"]])
        total += parts["removed"]
        assert total == pytest.approx(hit["score"], abs=1e-6)
        assert hit["id"].startswith("sea-")


def test_where_filters_and_names_the_fields(run, index):
    found = hits(run("search", index, "ship", "--where", "n >= 40", "--json"))
    assert found
    assert all(hit["metadata"]["n"] >= 40 for hit in found)
    result = run("search", index, "ship", "--where", "nn > 1", code=1)
    assert "no document has the field 'nn'" in result.stderr


def test_queries_from_a_file_and_from_standard_input(run, index, tmp_path):
    (tmp_path / "queries.tsv").write_text("id\ttext\nq1\tship storm\nq2\tbank loan\n")
    rows = run("search", index, "--queries", "queries.tsv", "--trec", "mine", "-n", 3).stdout
    fields = [line.split(" ") for line in rows.splitlines()]
    assert [f[0] for f in fields] == ["q1"] * 3 + ["q2"] * 3
    assert [f[3] for f in fields] == ["1", "2", "3"] * 2
    assert {(f[1], f[5]) for f in fields} == {("Q0", "mine")}
    assert fields[3][2].startswith("money-")
    result = run("search", index, "-", "--json", "-n", 1, stdin="ship\n!!!\ncow\n")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["query"] for line in lines] == ["ship", "cow"]
    assert "1 queries without a word" in result.stderr


def test_add_delete_replace(run, index, tmp_path):
    new = [{"id": "new", "text": "a submarine ship dives"}, {"id": "sea-2", "text": "a quiet ship"}]
    write_jsonl(tmp_path / "new.jsonl", new)
    result = run("index", "add", index, "new.jsonl", code=1)
    assert "already has a document with the id 'sea-2'" in result.stderr
    run("index", "add", index, "new.jsonl", "--replace")
    assert hits(run("search", index, "submarine", "--json"))[0]["id"] == "new"
    assert hits(run("search", index, "quiet", "--json"))[0]["id"] == "sea-2"
    (tmp_path / "lines.txt").write_text("periscope\n")  # no id: it gets a number that is free
    run("index", "add", index, "lines.txt")
    run("index", "add", index, "lines.txt")
    ids = {hit["id"] for hit in hits(run("search", index, "periscope", "--json"))}
    assert ids == {"0", "1"}
    assert json.loads(run("index", "info", index, "--json").stdout)["n_docs"] == 63
    run("index", "delete", index, "-", stdin="new\n0\n")
    assert json.loads(run("index", "info", index, "--json").stdout)["n_docs"] == 61
    result = run("index", "delete", index, "sea-2", "nobody", code=1)
    assert "'nobody'" in result.stderr
    assert "nothing was deleted" in result.stderr


def test_info_advises_and_refit_learns_new_words(run, index, tmp_path):
    words = ["zebra", "quagga", "okapi", "gnu", "kudu", "eland", "oryx", "bongo", "nyala", "duiker"]
    docs = [f"{a} {b} {c}" for a in words for b in words for c in words[:3]]
    (tmp_path / "new.txt").write_text("\n".join(docs))
    result = run("index", "add", index, "new.txt")
    assert "psif index refit docs.index" in result.stderr
    assert "psif index refit" in run("index", "info", index).stdout
    run("index", "refit", index)
    assert json.loads(run("index", "info", index, "--json").stdout)["unknown"] < 0.2


def test_numbers_of_a_table_are_numbers_and_titles_are_searched(run, tmp_path):
    rows = ["id,title,text,year,code", "a,Boats,the ship sails,2019,007", "b,,the cow eats,2021,1"]
    (tmp_path / "table.csv").write_text("\n".join(rows))
    run("index", "table.csv", "-o", "table.index")
    (hit,) = hits(run("search", "table.index", "boats", "--json", "--lexical", 1))
    assert hit["metadata"] == {"title": "Boats", "year": 2019, "code": "007"}
    assert hit["text"] == "Boats\nthe ship sails"
    where = "year > 2020"
    (hit,) = hits(run("search", "table.index", "the ship", "--where", where, "--json"))
    assert hit["id"] == "b"


def test_texts_cannot_act_on_a_terminal(run, tmp_path):
    docs = [
        {"id": f"\x1b]0;x\x07{i}", "text": "evil \x1b[31m ship", "k\x1b": "v\x1b"} for i in "ab"
    ]
    write_jsonl(tmp_path / "docs.jsonl", docs)
    run("index", "docs.jsonl", "-o", "evil.index")
    for options in ([], ["--explain"]):
        assert "\x1b" not in run("search", "evil.index", "ship", *options).stdout


def test_similar_documents_of_an_index(run, index):
    found = hits(run("search", index, "--id", "sea-2", "--json", "-n", 3))
    assert [hit["rank"] for hit in found] == [1, 2, 3]
    assert all(hit["id"].startswith("sea-") and hit["id"] != "sea-2" for hit in found)


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ([""], 1, "it is empty"),
        (["ship", "--queries", "x.txt"], 2, "give one of"),
        ([], 2, "give one of"),
        (["--id", "nobody"], 1, "no document has the id 'nobody'"),
        (["ship", "--lexical", 2], 2, "--lexical"),
        (["ship", "--trec", "x", "--json"], 2, "--trec"),
        (["ship", "--trec", "two words"], 1, "has a space"),
    ],
)
def test_wrong_questions_are_told(run, index, args, code, message):
    assert message in run("search", index, *args, code=code).stderr


def test_unknown_words_are_told(run, index):
    result = run("search", index, "xylophone")
    assert "no document fits" in result.stdout
    assert "no document has any word of the query: xylophone" in result.stderr


def test_files_that_are_no_index(run, index, tmp_path):
    assert "does not exist" in run("search", "nothing", "x", code=1).stderr
    assert "no manifest.json" in run("search", ".", "x", code=1).stderr
    assert "other things" in run("index", "docs.jsonl", "-o", ".", code=1).stderr
    for path in (tmp_path / index).glob("segment-*"):
        data = bytearray(path.read_bytes())
        data[-100] ^= 1
        path.write_bytes(data)
    assert "checksum" in run("search", index, "ship", code=1).stderr


def test_documents_of_one_name_are_refused(run, tmp_path):
    write_jsonl(tmp_path / "twice.jsonl", [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}])
    assert "'a' is given twice" in run("index", "twice.jsonl", "-o", "i", code=1).stderr
    assert not (tmp_path / "i").exists()


def test_a_file_may_come_after_options(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", make_docs(30))
    run("index", "-q", "-o", "one.index", "docs.jsonl")
    assert run("index", "-q", "info", "one.index").stdout.startswith("documents    30 ")
    assert "INPUT..." in run("index", "--help").stdout


def test_an_approximate_index_can_be_searched_exactly(run, tmp_path):
    pytest.importorskip("faiss")
    write_jsonl(tmp_path / "docs.jsonl", make_docs(120))
    run("index", "docs.jsonl", "-o", "plain", "--exact")
    run("index", "docs.jsonl", "-o", "quick", "--approximate")
    exact = run("search", "plain", "ship in a storm", "--json").stdout
    assert run("search", "quick", "ship in a storm", "--json", "--exact").stdout == exact
    assert hits(run("search", "quick", "ship in a storm", "--json"))[0]["id"].startswith("sea-")
