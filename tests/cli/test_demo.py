import re

from psif.files import standard_library
from tests.explorer.worlds import page_data


def test_docstrings_are_real_and_distinct(library):
    docs = library
    assert len(docs) > 1000
    assert "compressed" in docs["gzip.open"]
    assert len(set(docs.values())) == len(docs)


def test_demo(run, tmp_path, monkeypatch, library):
    """The whole demonstration on a part of the corpus."""
    wanted = ("gzip", "lzma", "bz2", "json", "socket", "threading", "str.")
    few = {name: text for name, text in library.items() if name.startswith(wanted)}
    monkeypatch.setattr(standard_library, "docstrings", lambda: few)
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
    data = page_data(page)
    assert {"gzip.open", "json.dumps"} <= set(data["ids"])
    assert data["words"]["names"]
    assert not re.search(r"(src|href)=.?https?:", page)
    assert (tmp_path / "out" / "vectors.parquet").exists()
    assert (tmp_path / "out" / "vectors.model" / "config.json").exists()
