import json
import re

from psif.cli import demo, demo_corpus


def test_docstrings_are_real_and_distinct():
    docs = demo_corpus.docstrings()
    assert len(docs) > 1000
    assert "compressed" in docs["gzip.open"]
    assert len(set(docs.values())) == len(docs)


def test_demo(run, tmp_path, monkeypatch):
    """The whole demonstration on a part of the corpus."""
    every = demo_corpus.docstrings()
    wanted = ("gzip", "lzma", "bz2", "json", "socket", "threading", "str.")
    few = {name: text for name, text in every.items() if name.startswith(wanted)}
    monkeypatch.setattr(demo_corpus, "docstrings", lambda: few)
    monkeypatch.setitem(demo._PARAMETERS, "n_topics", 6)
    monkeypatch.setitem(demo._PARAMETERS, "dim", 20)
    result = run("demo", "-o", "out")
    for words in (
        "coverage",
        "largest topics",
        "lzma.open",
        "strongest word pairs",
        "Try your own",
    ):
        assert words in result.stdout, words
    page = (tmp_path / "out" / "map.html").read_text(encoding="utf-8")
    content = re.search(r"const data = (\{.*\});", page).group(1)
    data = json.loads(content.replace("<\\/", "</"))
    assert {"gzip.open", "json.dumps"} <= {doc["name"] for doc in data["docs"]}
    assert all(0 <= doc["x"] <= 1 and 0 <= doc["y"] <= 1 for doc in data["docs"])
    assert not re.search(r"(src|href)=.?https?:", page)
    assert (tmp_path / "out" / "vectors.parquet").exists()
    assert (tmp_path / "out" / "vectors.model" / "config.json").exists()
