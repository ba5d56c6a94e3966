"""The page of a held-out report: its picture by hand, and how it looks in a browser."""

import os
from pathlib import Path

import numpy as np
import pytest

from psif.classify.page import confusion_svg, report_page
from psif.classify.report import HeldOutReport
from tests.classify.conftest import make_texts

pytestmark = pytest.mark.xdist_group("chromium")

NAMES = [f"comp.sys.group.{i}" for i in range(20)]


@pytest.fixture(scope="module")
def page(fitted):
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(20), 20)
    predicted = np.where(rng.random(400) < 0.8, truth, rng.integers(0, 20, 400))
    report = HeldOutReport.of_classes(truth, predicted, NAMES)
    texts, y = make_texts(12, seed=1)
    texts[0] += " <script>alert(1)</script> " + "verylongword" * 30 + " cat" * 300
    mistakes = fitted.errors(texts, [*y[1:], y[0]])
    assert len(mistakes) == 12
    return report_page("tickets.clf", report, mistakes, fitted.describe(), ["3 classes"])


def test_the_picture_has_a_cell_for_each_number():
    svg = confusion_svg(np.array([[3, 0], [1, 2]]), ["a & b", "c"])
    assert svg.count("<rect") == 3  # zeros are left out
    assert "<title>a &amp; b as a &amp; b: 3</title>" in svg
    assert "<title>c as a &amp; b: 1</title>" in svg
    assert svg.count("var(--right)") == 2
    assert svg.count("var(--wrong)") == 1


def test_many_classes_have_a_smaller_picture_or_none():
    small = confusion_svg(np.eye(60, dtype=int), [f"class {i}" for i in range(60)])
    assert 'width="11"' in small
    report = HeldOutReport.of_classes(np.arange(101), np.arange(101), [str(i) for i in range(101)])
    assert "101 classes is too large to draw" in report_page("x", report, [], [])


def test_a_page_without_mistakes_and_with_several_labels():
    truth = np.array([[True, False], [True, True]])
    page = report_page("x", HeldOutReport.of_labels(truth, truth, ["a", "b"]), [], [])
    assert "There are none among the held-out documents" in page
    assert "<svg" not in page
    assert "micro F1 100.0" in page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_it_fits_the_window_and_can_be_read(chromium, page, tmp_path, scheme, width):
    path = tmp_path / "report.html"
    path.write_text(page, encoding="utf-8")
    shown = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    said = []
    shown.on("console", lambda message: said.append(message.text))
    shown.on("dialog", lambda dialog: said.append(dialog.message))
    shown.goto(path.as_uri())
    if folder := os.environ.get("PSIF_PICTURES"):
        shown.screenshot(path=str(Path(folder) / f"report-{scheme}-{width}.png"), full_page=True)
    # Wide tables scroll in their own boxes, never the page.
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    # The colours of text and page are as far apart as WCAG's 4.5 : 1 asks for.
    ratio = shown.evaluate(
        """() => {
          const light = (colour) => {
            const [r, g, b] = colour.match(/\\d+/g).map((v) => {
              const x = v / 255;
              return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const page = light(getComputedStyle(document.body).backgroundColor);
          return ["body", ".dim", ".given", "svg text"].map((name) => {
            const style = getComputedStyle(document.querySelector(name));
            const text = light(name === "svg text" ? style.fill : style.color);
            return (Math.max(text, page) + 0.05) / (Math.min(text, page) + 0.05);
          });
        }"""
    )
    assert min(ratio) >= 4.5
    assert said == []
    shown.close()
