"""Every example runs, on a part of its corpus, and finds what it should."""

import re
import runpy
import warnings

import pytest
from threadpoolctl import threadpool_limits

from psif.files import standard_library
from tests.snippets import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*.py"))
# What has to be printed.
FOUND = {
    "01_neighbours": r"gzip\n .* (gzip|lzma|bz2|zipfile)[\s\S]*finished\n.*(thread|wait|future)",
    "02_explain": r"gzip\.open and lzma\.open: (0\.\d+)\n[\s\S]*the parts sum to \1\n",
    "03_topics": r"is about: .*(connections|address|host|socket)",
    "04_classify": r"new documents: (0\.[89]|1\.0)[\s\S]*\['email' 'unittest'\]",
    "05_cluster": r"(?: *\d+ documents  .*  such as .*\n){8}",
    "06_near_duplicates": r"identical:[\s\S]*near: +[1-9]\d* groups[\s\S]*paraphrase: +[1-9]",
    "07_grid_search": r"(0\.[789]\d\d  \{.*\}\n){4}best: ",
    "08_own_word_vectors": r"20 topics +related 0\.[5-9]\d  unrelated -?0\.[0-2]",
    "09_save_and_serve": r"model\.safetensors[\s\S]*\d+ numbers, the same as before: True",
    "10_dask": r"\d+ vectors with the columns \['id', 'vector'\]",
    "11_classifier_with_reasons": r"new documents: 0\.[89]\d\nemail: .* = bias .*message",
    "12_search": r"^ *\d+\.\d+  (gzip|bz2|lzma)[\s\S]*\d  asyncio[\s\S]*saved and loaded",
}


@pytest.fixture(scope="module")
def part_of_the_library():
    """Enough modules for every example; the whole library would take minutes."""
    modules = "asyncio bz2 email gzip http logging lzma socket statistics threading unittest"
    docs = standard_library.docstrings()
    return {name: text for name, text in docs.items() if name.partition(".")[0] in modules.split()}


def test_every_example_is_listed_and_checked():
    listed = re.findall(r"\]\((\w+)\.py\)", (ROOT / "examples" / "README.md").read_text("utf-8"))
    assert listed == [path.stem for path in EXAMPLES] == list(FOUND)
    assert len(EXAMPLES) >= 8


@pytest.mark.xdist_group("examples")
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, part_of_the_library, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(standard_library, "docstrings", lambda: dict(part_of_the_library))
    monkeypatch.chdir(tmp_path)
    # Threads of BLAS that wait by spinning would slow down the tests beside this one.
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr().out
    assert re.search(FOUND[path.stem], printed), printed
