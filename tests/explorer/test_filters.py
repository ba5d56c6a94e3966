"""Colours and filters by column, in a real browser."""

import numpy as np
import pytest

from tests.explorer.test_page import go, pixel_of, search, until
from tests.explorer.worlds import documents, other_columns

pytestmark = pytest.mark.xdist_group("chromium")
ROWS = other_columns()
N = len(ROWS)


@pytest.fixture(params=["served", "exported"])
def url(request):
    return request.getfixturevalue(request.param)


def facet(page, name):
    return page.locator(".facet").filter(has=page.locator("h3", has_text=name)).first


def counts(page, name):
    """Counts that a facet of labels shows now."""
    rows = facet(page, name).locator("button.label")
    return {
        row.locator(".name").text_content(): int(row.locator(".score").text_content())
        for row in rows.all()
    }


def n_shown(page):
    return page.evaluate("Explorer.filters.count()")


def test_histograms_are_linked(visit, url):
    page = visit(url + "#/filter")
    assert counts(page, "kind") == {
        "sea": 20,
        "sky": 20,
        "food": 20,
        "<img src=x onerror=document.title=1>": 1,
    }
    facet(page, "kind").locator("button.label", has_text="sky").click()
    until(page, "Explorer.filters.count() === 20")
    # The column's own filter does not change its own counts, but those of the others.
    assert counts(page, "kind")["sea"] == 20
    expected = {str(r): 0 for r in range(5)}
    for row in ROWS:
        if row.get("kind") == "sky":
            expected[str(row["<b>rating</b>"])] += 1
    assert counts(page, "<b>rating</b>") == expected
    assert page.locator("#status").text_content().startswith(f"20 of {N} documents")
    # A second value of the same column is one more, of another column one condition more.
    facet(page, "kind").locator("button.label", has_text="sea").click()
    until(page, "Explorer.filters.count() === 40")
    facet(page, "<b>rating</b>").locator("button.label", has_text="3").click()
    wanted = [r for r in ROWS if r.get("kind") in ("sea", "sky") and r["<b>rating</b>"] == 3]
    until(page, f"Explorer.filters.count() === {len(wanted)}")
    page.click("#unfilter")
    until(page, f"Explorer.filters.count() === {N}")
    assert page.locator("#status").is_hidden()


@pytest.mark.parametrize(("low", "high"), [("50", "120"), ("", "99"), ("150", "")])
def test_a_range_of_numbers(visit, url, low, high):
    page = visit(url + "#/filter")
    box = facet(page, "size")
    box.get_by_label("size from").fill(low)
    box.get_by_label("size to").fill(high)
    box.get_by_label("size to").press("Tab")
    least, most = float(low or 0), float(high or 1e9)
    wanted = sum(r.get("size") is not None and least <= r["size"] <= most for r in ROWS)
    until(page, f"Explorer.filters.count() === {wanted}")
    assert 0 < wanted < N
    box.get_by_role("button", name="Clear the filter of size").click()
    until(page, f"Explorer.filters.count() === {N}")


def test_a_range_by_dragging_over_the_bars(visit, exported):
    page = visit(exported + "#/filter")
    plot = facet(page, "size").locator(".histogram")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20, steps=5)
    page.mouse.up()
    low, high = page.evaluate(
        "Explorer.filters.set.get(Explorer.columns.find(c => c.name === 'size')).range"
    )
    sizes = [r["size"] for r in ROWS if r.get("size") is not None]
    assert low == min(sizes)
    assert n_shown(page) == sum(low <= s <= high for s in sizes)
    assert abs(high - (min(sizes) + max(sizes)) / 2) < 20


def test_a_range_of_dates(visit, exported):
    page = visit(exported + "#/filter")
    box = facet(page, "when")
    box.get_by_label("when from").fill("2024-03-01")
    box.get_by_label("when to").fill("2024-05-09")
    box.get_by_label("when to").press("Tab")
    wanted = sum("2024-03-01" <= (r.get("when") or "") <= "2024-05-09" for r in ROWS)
    until(page, f"Explorer.filters.count() === {wanted}")


def test_a_part_of_a_text(visit, exported):
    page = visit(exported + "#/filter")
    facet(page, "note").locator("input").fill("NUMBER 1")
    wanted = sum("number 1" in (r.get("note") or "") for r in ROWS)
    until(page, f"Explorer.filters.count() === {wanted}")


def test_bins_hold_what_their_range_says(visit, exported):
    """Every document is in the bin whose range holds its value, on all kinds of scales."""
    page = visit(exported)
    rng = np.random.default_rng(0)
    lists = {
        "even": rng.uniform(-5, 5, 200),
        "few": rng.integers(0, 9, 200),
        "skewed": np.floor(rng.pareto(0.7, 200) * 10),
        "fractions": rng.pareto(0.7, 200),
        "far": np.append(rng.uniform(0, 1, 199), 1e9),
        "same": np.full(200, 7),
        "large": rng.integers(10**12, 10**13, 200),
    }
    for name, values in lists.items():
        whole = bool((values % 1 == 0).all())
        found = page.evaluate(
            """([values, whole]) => {
              const column = Object.create(Column.prototype);
              Object.assign(column, { kind: "number", whole, values: Float64Array.from(values) });
              column.measure();
              const bins = values.map((_, i) => column.bin(i)), last = column.nBins - 1;
              return { bins, n: column.nBins, ranges: bins.map(bin => column.range(bin, bin)),
                       whole: column.range(0, last), log: column.log };
            }""",
            [values.tolist(), whole],
        )
        assert found["whole"] == [values.min(), values.max()], name
        assert found["log"] == (name in ("skewed", "fractions")), name
        for value, bin_, (low, high) in zip(values, found["bins"], found["ranges"], strict=True):
            assert 0 <= bin_ < found["n"]
            assert low - 1e-6 * abs(low) <= value <= high + 1e-6 * abs(high), (name, value)


def test_the_map_is_coloured_by_a_column(visit, url):
    page = visit(url)
    options = page.locator("#shade option").all_text_contents()
    assert options == ["topic", "kind", "size", "when", "<b>rating</b>", "__proto__x"]
    page.select_option("#shade", label="kind")
    page.wait_for_selector("h2:has-text('Documents by kind')")
    same = page.evaluate(
        """() => {
          const { points, column } = Explorer.map, seen = {};
          column.names.forEach((name, code) => { seen[name] = String(Colours.many(code)); });
          const none = String(Colours.none());
          const right = i => String(column.colour(i)) === (seen[column.shown(i)] ?? none);
          return points.column === column && [...Array(points.n).keys()].every(right);
        }"""
    )
    assert same
    assert page.locator("#legend").is_hidden()
    page.select_option("#shade", label="when")
    page.wait_for_selector("h2:has-text('Documents by when')")
    assert page.locator("#legend").text_content() == "2024-01-012024-12-24"
    page.mouse.move(*pixel_of(page, 5))
    until(page, "document.getElementById('tip').textContent.includes('when: 2024-06-06')")


def test_filters_apply_to_search_and_lasso(visit, exported):
    page = visit(exported + "#/filter")
    facet(page, "kind").locator("button.label", has_text="food").click()
    until(page, "Explorer.filters.count() === 20")
    search(page, "ship wave sail")
    assert "do not pass the filters" in page.locator("#panel .reason").last.text_content()
    ids = list(documents())
    for key in page.locator("#panel ol").last.locator("li a").all_text_contents():
        assert ROWS[ids.index(key)].get("kind") == "food"
    inside = page.evaluate(
        """() => {
          const map = Explorer.map, { width, height } = map.view;
          map.line = [[0, 0], [width, 0], [width, height], [0, height]];
          const found = map.enclosed(); map.line = null; return found;
        }"""
    )
    assert [ROWS[i]["kind"] for i in inside] == ["food"] * 20


def test_a_document_shows_its_columns(visit, url):
    page = visit(url + "#/document/7")
    shown = page.locator(".fields").locator("dt, dd").all_text_contents()
    row = ROWS[7]
    assert dict(zip(shown[::2], shown[1::2], strict=True)) == {k: str(v) for k, v in row.items()}
    go(page, "#/document/60")
    until(page, "document.querySelector('.fields').textContent.includes('onerror')")
    assert page.locator("#panel img, #panel b").count() == 0
    assert page.title().startswith("Ships")
    go(page, "#/document/63")
    until(page, "document.querySelector('#panel h2').textContent === 'empty'")
    assert page.locator(".fields").count() == 0


def test_filters_by_keyboard(visit, exported):
    page = visit(exported + "#/filter")
    facet(page, "kind").locator("button.label").first.focus()
    page.keyboard.press("Enter")
    until(page, "Explorer.filters.active")
    assert facet(page, "kind").locator("button.label").first.get_attribute("aria-pressed") == "true"


def test_no_sideways_scrolling_on_a_phone(visit, exported):
    page = visit(exported + "#/filter", 390, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
