import json
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from benchmarks.report.labels import overlap, place_labels
from benchmarks.report.pages import markdown, write_report
from benchmarks.report.plots import CAPTIONS
from benchmarks.report.sections import sections
from benchmarks.results import Measurement, read_run

from tests.benchmarks.runs import environment, run

RESULTS = Path(__file__).parents[2] / "results"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The report of the run made by hand."""
    place = tmp_path_factory.mktemp("report")
    paths = write_report(run(), place)
    assert sorted(paths) == sorted(place.iterdir())
    return place


def test_the_report_has_tables_pictures_and_reasons(folder):
    assert {path.name for path in folder.iterdir()} == {
        "bench.json", "bench.md", "bench.html",
        "bench-accuracy.svg", "bench-command.svg", "bench-growth.svg", "bench-roofline.svg",
        "bench-trainers.svg",
    }  # fmt: skip
    text = (folder / "bench.md").read_text(encoding="utf-8")
    assert "| P-SIF, defaults | 85.0 | – | 8,000 | 1.0 | – | 1,000 | 1.0 | 1.1 | 1.00 |" in text
    assert "99.09" in text  # the NumPy reference implementation takes 109 s, P-SIF 1.1 s
    assert "| ksvd | 4.00 | 40.0 | 0.8000 |" in text
    assert "](bench-accuracy.svg)" in text
    assert "- fit/minilm/2: needs the package torch, which is not installed." in text
    assert "- sts/doc2vec: failed: out of memory." in text
    assert "every pick depends on the pick before" in text  # OMP is at 25 %
    assert "each topic has its own list of words" not in text  # averaging is at 50 %
    assert json.loads((folder / "bench.json").read_text())["size"] == "tiny"


def test_the_command_line_is_compared_within_rounds(folder):
    text = (folder / "bench.md").read_text(encoding="utf-8")
    # Over TF-IDF: 3/2, 8/4, 9/1 with fitting; 1/2, 3/4, 0.6/1 with a saved model.
    assert "| `psif embed`, fitting included | 8.00 | 16.00 | 2.00 | 1.50 to 9.00 | 600 |" in text
    assert "| `psif embed --model` | 1.00 | 2.00 | 0.60 | 0.50 to 0.75 | 300 |" in text
    assert "| 1,000 | 2.00 | 2,000 | 400 | 0.50 | 500 | 200 |" in text
    assert "| `psif --help` | 0.10 | 0.20 | – |" in text


def test_parts_are_reported(folder):
    text = (folder / "bench.md").read_text(encoding="utf-8")
    assert "| psif, new vocabulary | 0.400 | 0.800 | 25 | 2.0 |" in text
    assert "| `re.findall` and a dictionary, known vocabulary | 3.000 | 6.000 | 3 | 15.0 |" in text
    # 90,000 words, 15 passes, 60 CPU-seconds.
    assert "| sgns | 700 | 15 | 30.0 | 60.0 | 22,500 | 50 | 79.0 |" in text
    # 2 CPU-seconds besides training, 15 passes over 90,000 words.
    assert "| 15 passes at the rate of sgns, computed | 62 | 16 |" in text
    assert "| 50 | 900 | 1.5 | 210 |" in text
    assert "90 s, peak memory 2.0 GB (the vectors alone are 1.00 GB)." in text
    assert "A large vocabulary: `ppmi` on the texts of all evaluation sets" in text


def test_a_cluster_is_compared_by_hand(folder):
    text = (folder / "bench.md").read_text(encoding="utf-8")
    assert "| cluster, one worker | 3.00 | 4.00 | 3.0 | 4.0 |" in text
    row = "| overhead of one worker over its own code without a cluster | 50% | 33% | 100% |"
    assert row in text  # 3 to 2 s, 4 to 3 s, 4 to 2 CPU-seconds
    assert "| efficiency from one worker to two | 75% | 100% | 100% |" in text
    assert "341 MB after 10 documents, 363 MB after 40, 426 MB after as many" in text


def test_each_number_has_its_date_and_command():
    made = run()
    old = environment("2025-05-05", "psif measure")
    made.measurements["start/psif"] = Measurement({"import_seconds": 0.5}, old)
    text = markdown(made, sections(made), {})
    assert "Measured 2025-05-05 to 2026-01-01" in text
    about = "Python 3.11, 2 cores (x); numpy 2.0"
    assert f"- `psif measure`, 2025-05-05, {about}: start/psif." in text
    # Complete groups are named once, others name by name.
    assert "roofline, dictionary, fit, embed, score, start/model2vec, growth, large," in text


def test_the_page_stands_alone_and_escapes(folder):
    page = (folder / "bench.html").read_text(encoding="utf-8")
    assert "some &lt;documents&gt;" in page
    assert "some <documents>" not in page
    assert "<code>python -m benchmarks --tiny</code>" in page
    assert page.count("<svg") == 5
    assert "<img" not in page
    assert "<link" not in page
    assert "<script" not in page


def test_pictures_are_well_formed_and_name_every_method(folder):
    for name in CAPTIONS:
        ET.parse(folder / f"bench-{name}.svg")
    drawn = (folder / "bench-accuracy.svg").read_text(encoding="utf-8")
    assert ">psif<" in drawn
    assert ">numpy-reference<" in drawn
    assert ">model2vec<" not in drawn  # it has no accuracy


def test_without_matplotlib_the_tables_remain(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    paths = write_report(run(), tmp_path)
    assert {path.suffix for path in paths} == {".json", ".md", ".html"}
    assert "psif[plots]" in (tmp_path / "bench.md").read_text(encoding="utf-8")


def test_an_empty_run_says_only_what_is_missing():
    empty = run({})
    text = markdown(empty, sections(empty), {})
    assert "not measured" in text
    assert "Methods side by side" not in text


def test_the_committed_page_is_made_from_the_committed_results():
    made = read_run(RESULTS / "bench.json")
    pictures = {name: f"bench-{name}.svg" for name in CAPTIONS}
    text = markdown(made, sections(made), pictures)
    assert (RESULTS / "bench.md").read_text(encoding="utf-8") == text
    assert all((RESULTS / file).exists() for file in pictures.values())


def test_the_committed_quick_results_are_readable():
    assert read_run(RESULTS / "bench-quick.json").size == "quick"


def test_labels_cover_neither_points_nor_one_another():
    points = [("first", 100.0, 100.0), ("second", 110.0, 100.0), ("third", 104.0, 108.0)]
    boxes = []
    for (name, x, y), (_, dx, dy) in zip(points, place_labels(points, 400, 300), strict=True):
        boxes.append((x + dx, y + dy - 6, x + dx + 6 * len(name), y + dy + 6))
    marks = [(x - 5, y - 5, x + 5, y + 5) for _, x, y in points]
    for i, box in enumerate(boxes):
        assert not any(overlap(box, other) for other in [*boxes[:i], *marks])
