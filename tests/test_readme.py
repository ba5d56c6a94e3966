"""The README: its code prints what it shows, its commands run, its numbers are measured."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.snippets import ROOT, check

README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands(start):
    blocks = re.findall(r"^```sh\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    lines = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith(start)]


@pytest.mark.filterwarnings("ignore::psif.PsifWarning")
def test_python(tmp_path):
    names = check(ROOT / "README.md", tmp_path)
    assert names["vectors"].shape == (6, names["model"].n_features_out_)


def test_shell(tmp_path):
    assert len(commands("psif ")) == 9
    kinds = ("ship", "plane", "bread")
    texts = [(kind, f"some {kind} {other} words") for kind in kinds for other in "abcdefgh"]
    rows = [
        json.dumps({"id": str(i), "kind": kind, "text": text})
        for i, (kind, text) in enumerate(texts * 9)
    ]
    (tmp_path / "docs.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "psif.toml").write_text("[fit]\ntopics = 2\n", encoding="utf-8")
    for command in commands("psif "):
        program = str(Path(sys.executable).with_name("psif"))
        arguments = [program, *shlex.split(command)[1:]]
        done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    for name in ("labels.csv", "groups.csv", "kept.jsonl", "vectors.npy"):
        assert (tmp_path / name).exists()


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {line.split()[1] for line in commands("make ")}
    assert targets == {"demo", "test"}
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def table_rows(path):
    """Cells of every table row of a page, by the first cell."""
    rows = re.findall(r"^\| (.*) \|$", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    return {cells[0]: cells for cells in (row.split(" | ") for row in reversed(rows))}


def test_numbers_are_those_of_the_benchmarks():
    """Rows of the README beside rows of results/bench.md; columns: accuracy, STS-B, speed."""
    measured = table_rows("results/bench.md")
    shown = {
        name: [cell.split(" (")[0] for cell in cells[2:]]
        for name, cells in table_rows("README.md").items()
        if len(cells) == 5
    }
    expected = {}
    for name, labels in {
        "**psif**": (
            "P-SIF, preset classification",
            "P-SIF, preset similarity, given word vectors",
            "P-SIF, defaults",
        ),
        "TF-IDF + a linear classifier": ("TF-IDF (scikit-learn)",) * 3,
        "model2vec": ("model2vec",) * 3,
        "a sentence transformer (MiniLM)": ("all-MiniLM-L6-v2 (sentence-transformers)",) * 3,
    }.items():
        columns = zip(labels, (1, 2, 6), strict=True)
        expected[name] = [measured[label][column] for label, column in columns]
    expected["**psif**"][0] = measured["labels, accuracy"][2]  # PSIFClassifier's
    assert {name: shown[name] for name in expected} == expected


def test_neighbours_are_those_of_the_reproduction():
    text = (ROOT / "results/reproduction/tables.md").read_text(encoding="utf-8")
    part = text.split("## Retrieval and clustering")[1]
    for method in ("psif", "tfidf"):
        score = re.search(rf"^\| {method} \| [\d.]+ \| ([\d.]+) \|", part, re.MULTILINE).group(1)
        assert f"{score} %" in README


def test_links_lead_somewhere():
    pages = [ROOT / "README.md", *ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    for page in [*pages, ROOT / "examples" / "README.md"]:
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not link.startswith("http"):
                assert (page.parent / link).exists(), f"{page.name}: {link}"
