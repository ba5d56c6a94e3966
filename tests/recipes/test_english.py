from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from recipes.english import __main__ as command
from recipes.english import corpus, sources

from psif.vectors.ready import READY


def test_the_table_is_made_again_bit_for_bit(tmp_path, monkeypatch, capsys):
    """PSIF_ENGLISH: a folder with corpus.tsv.gz, cache and teacher, as the recipe leaves them."""
    place = os.environ.get("PSIF_ENGLISH")
    if place is None or not Path(place, "cache").is_dir():
        pytest.skip("PSIF_ENGLISH names no folder with the teacher's vectors")
    folder, out = Path(place), tmp_path / "english.safetensors"
    monkeypatch.setattr(sys, "argv", [
        "recipes.english", "table", str(folder / "corpus.tsv.gz"), "--teacher",
        str(folder / "teacher"), "--cache", str(folder / "cache"), "--date", "2026-11-17",
        "-o", str(out),
    ])  # fmt: skip
    command.main()
    assert READY["english"] in capsys.readouterr().out


def test_glosses_and_examples_of_wordnet(tmp_path):
    line = '00001740 03 n 01 entity(p) 0 001 ~ 00001930 n 0000 | that exists; "it is an entity"  \n'
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"data.{part}").write_text("  1 licence | text\n" + line * (part == "noun"))
    assert list(sources.wordnet(tmp_path)) == ["it is an entity", "that exists"]
    assert list(sources.wordnet_entries(tmp_path)) == ["entity: that exists"]


def test_sentences_of_evaluation_pairs_are_left_out():
    rows = [
        ("news", "The Queen  of England died."),
        ("news", "the queen of england died"),
        ("news", "A man is playing a guitar!"),
        ("novel", "too short"),
        ("novel", "1234 5678 91011 1213 1415"),
    ]
    kept, counts, removed = corpus.build(rows, {corpus.plain("a man is playing a guitar")})
    assert kept == [("news", "The Queen of England died.")]
    assert counts == {"news": 1}
    assert removed == {"news": 1}


def test_kinds_of_greater_weight_come_earlier():
    rows = [(kind, f"this is sentence {chr(97 + i)}{chr(97 + j)} of its kind")
            for kind in ("gcide", "news") for i in range(26) for j in range(4)]  # fmt: skip
    rows = [(kind, f"{text} {kind}") for kind, text in rows]
    kept, _, _ = corpus.build(rows, set())
    places = {kind: np.mean([i for i, row in enumerate(kept) if row[0] == kind])
              for kind in ("gcide", "news")}  # fmt: skip
    assert places["news"] < places["gcide"] - 40


def test_a_corpus_is_written_as_it_is_read(tmp_path):
    rows = [("news", "One sentence."), ("novel", "Another one, größer.")]
    for name in ("a", "b"):
        corpus.write(tmp_path / name, rows)
    assert list(sources.table(tmp_path / "a")) == rows
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert gzip.decompress((tmp_path / "a").read_bytes()).startswith(b"news\tOne")
