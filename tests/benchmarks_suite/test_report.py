import json
import sys
from xml.etree import ElementTree as ET

from benchmarks.report.pages import write_report
from benchmarks.report.plots import _beside, _overlap

from tests.benchmarks_suite.runs import run


def test_the_report_has_tables_pictures_and_reasons(tmp_path):
    paths = write_report(run(), tmp_path)
    assert {path.name for path in paths} == {
        "bench.json", "bench.md", "bench.html",
        "bench-accuracy.svg", "bench-growth.svg", "bench-roofline.svg",
    }  # fmt: skip
    text = (tmp_path / "bench.md").read_text(encoding="utf-8")
    assert "| P-SIF, defaults | 85.0 | – | 8,000 | 1.0 | – | 1,000 | 1.0 | 1.1 | 1.00 |" in text
    assert "99.09" in text  # the reference way takes 109 s, P-SIF 1.1 s
    assert "| ksvd | 4.00 | 40.0 | 0.8000 |" in text
    assert "](bench-accuracy.svg)" in text
    assert "- fit/minilm/2: needs the package torch, which is not installed" in text
    assert "- sts/doc2vec: out of memory" in text
    assert "every pick depends on the one before" in text  # OMP is at 25 %
    assert "listing the words of each topic" not in text  # averaging is at 50 %
    assert json.loads((tmp_path / "bench.json").read_text())["size"] == "tiny"


def test_the_page_stands_alone_and_escapes(tmp_path):
    write_report(run(), tmp_path)
    page = (tmp_path / "bench.html").read_text(encoding="utf-8")
    assert "some &lt;documents&gt;" in page
    assert "some <documents>" not in page
    assert page.count("<svg") == 3
    assert "<img" not in page
    assert "<link" not in page
    assert "<script" not in page


def test_pictures_are_well_formed_and_name_every_method(tmp_path):
    write_report(run(), tmp_path)
    for name in ("accuracy", "growth", "roofline"):
        ET.parse(tmp_path / f"bench-{name}.svg")
    drawn = (tmp_path / "bench-accuracy.svg").read_text(encoding="utf-8")
    assert ">psif<" in drawn
    assert ">reference<" in drawn
    assert ">model2vec<" not in drawn  # it has no accuracy


def test_without_matplotlib_the_tables_remain(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    paths = write_report(run(), tmp_path)
    assert {path.suffix for path in paths} == {".json", ".md", ".html"}
    assert "psif[bench]" in (tmp_path / "bench.md").read_text(encoding="utf-8")


def test_an_empty_run_says_only_what_is_missing(tmp_path):
    write_report({**run(), "results": {}}, tmp_path)
    text = (tmp_path / "bench.md").read_text(encoding="utf-8")
    assert "not measured" in text
    assert "Methods side by side" not in text


def test_labels_cover_neither_points_nor_one_another():
    points = [("first", 100.0, 100.0), ("second", 110.0, 100.0), ("third", 104.0, 108.0)]
    boxes = []
    for (name, x, y), (_, dx, dy) in zip(points, _beside(points, 400, 300), strict=True):
        boxes.append((x + dx, y + dy - 6, x + dx + 6 * len(name), y + dy + 6))
    marks = [(x - 5, y - 5, x + 5, y + 5) for _, x, y in points]
    for i, box in enumerate(boxes):
        assert not any(_overlap(box, other) for other in [*boxes[:i], *marks])
