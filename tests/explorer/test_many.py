"""What the page does differently when there are very many documents."""

import io
import threading

import numpy as np
import pytest
from PIL import Image

from psif.errors import InputError
from psif.explorer import answers as answering
from psif.explorer.answers import first_line
from psif.explorer.server import ExplorerServer
from tests.explorer.test_page import IDS, go, heading, pixel_of, search, until
from tests.explorer.worlds import documents, make_answers

pytestmark = pytest.mark.xdist_group("chromium")
LINES = [first_line(text) for text in documents().values()]


@pytest.fixture
def crowded(tmp_path, monkeypatch):
    """A server whose documents are too many for all first lines to be sent at once."""
    monkeypatch.setattr(answering, "_MOST_LINES", 10)
    answers = make_answers(tmp_path)
    assert answers.lines() is None
    assert answers.lines_of([3, 0]) == [LINES[3], LINES[0]]
    with pytest.raises(InputError, match="at most 1000 numbers"):
        answers.lines_of("all")
    assert answers.search("ship")["found"]  # its index is there before a browser waits for it
    with ExplorerServer(answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server.url
        server.shutdown()
        thread.join()


def test_first_lines_are_asked_for_when_they_are_shown(visit, crowded):
    page = visit(crowded)
    search(page, "ship")
    shown = "[...document.querySelectorAll('#panel li.item')]"
    until(page, f"{shown}.every(item => item.querySelector('.line').textContent)")
    for name, line in page.evaluate(
        f"{shown}.map(item => [item.querySelector('a').textContent, "
        "item.querySelector('.line').textContent])"
    ):
        assert LINES[IDS.index(name)] == line
    go(page, "#/")
    heading(page, "Topics on the map")
    page.mouse.move(*pixel_of(page, 5))
    until(page, f"document.querySelector('#tip span').textContent === {LINES[5]!r}")


def test_all_dots_are_drawn_once_in_a_random_order(visit, exported):
    page = visit(exported)
    order = page.evaluate("Array.from(Points.shuffled(5000))")
    assert sorted(order) == list(range(5000))
    # Of the first tenth, about a tenth comes from each part.
    assert 20 < sum(i < 500 for i in order[:500]) < 90
    assert order == page.evaluate("Array.from(Points.shuffled(5000))")


def test_fewer_dots_while_frames_are_late_and_all_at_rest(visit, exported):
    parts = visit(exported).evaluate(
        """() => {
          const pace = new Pace(1, () => {}), out = [];
          const frame = now => { pace.moved(now); out.push(pace.frame(now)); };
          for (let i = 0; i < 6; i++) frame(1000 + 100 * i);
          for (let i = 0; i < 60; i++) frame(1600 + 16 * i);
          const before = pace.part;
          out.push(pace.frame(9999) === before && !pace.moving(9999) && pace.moving(2600));
          return [...out, new Pace(1000000, () => {}).part];
        }"""
    )
    assert parts[0] == 1
    assert parts[0] > parts[1] > parts[5]
    assert min(parts[:-2]) >= 0.02
    assert parts[65] == 1  # frames came in time again
    assert parts[-2:] == [True, 0.2]


def test_dots_that_come_in_several_frames_look_like_those_that_come_at_once(visit, crowded):
    page = visit(crowded)
    shot = page.locator("#points").screenshot
    at_once = shot()
    first = page.evaluate(
        """() => {
          const map = Explorer.map, old = map.points;
          Points.MANY = 1;
          map.points = new Points(old.canvas.cloneNode(), map.places, map.column);
          old.canvas.replaceWith(map.points.canvas);
          map.pace.part = 0.3; map.resize();
          return map.part;
        }"""
    )
    assert first == 0.3
    until(page, "Explorer.map.part >= 1")
    page.wait_for_timeout(200)
    ours, theirs = (
        np.asarray(Image.open(io.BytesIO(png)).convert("L"), float) for png in (shot(), at_once)
    )
    # Where dots overlap, another one is above.
    assert np.abs(ours - theirs).mean() < 1
    assert (theirs < 250).mean() > 0.001


def test_a_histogram_of_a_month_has_a_bar_per_day(visit, exported):
    found = visit(exported).evaluate(
        """() => {
          const column = Object.create(Column.prototype), day = 86400, first = 8000 * day;
          const values = Float64Array.from({ length: 56 }, (_, i) => first + day * (i % 28));
          Object.assign(column, { kind: "date", days: true, values });
          column.measure();
          const counts = new Array(column.nBins).fill(0);
          values.forEach((_, i) => { counts[column.bin(i)]++; });
          return { counts, days: column.range(3, 4).map(value => Math.floor(value / day) - 8000) };
        }"""
    )
    assert found["counts"] == [2] * 28
    assert found["days"] == [3, 4]


def test_very_many_documents_are_searched_by_their_vectors_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(answering, "_MOST_INDEXED", 10)
    answers = make_answers(tmp_path)
    assert answers.search("ship") == answers.nearest("ship")
    assert answers.search("ship")["found"]
