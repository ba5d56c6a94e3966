"""The slider below the map, in a real browser."""

import pytest

from tests.explorer.test_page import until
from tests.explorer.worlds import other_columns

pytestmark = pytest.mark.xdist_group("chromium")
DATES = [row.get("when") for row in other_columns()]


@pytest.fixture(params=["served", "exported"])
def url(request):
    return request.getfixturevalue(request.param)


def shown(page):
    """Dates of the documents that pass the filters."""
    rows = page.evaluate(
        "Array.from({length: Explorer.page.ids.length}, (_, i) => i)"
        ".filter(i => Explorer.filters.passes(i))"
    )
    return [DATES[i] for i in rows]


def test_a_window_of_time_shows_the_documents_in_it(visit, url):
    page = visit(url)
    slider = page.get_by_label("Window of time")
    slider.focus()
    slider.press("ArrowRight")
    until(page, "Explorer.filters.active")
    first, last = slider.get_attribute("aria-valuetext").split(" to ")
    assert shown(page) == [d for d in DATES if d is not None and first <= d <= last]
    assert 0 < len(shown(page)) < len(DATES)
    # A wider window holds more documents.
    page.get_by_label("Width of the window").select_option("10")
    first, last = slider.get_attribute("aria-valuetext").split(" to ")
    assert shown(page) == [d for d in DATES if d is not None and first <= d <= last]
    page.get_by_role("button", name="All times").click()
    until(page, "!Explorer.filters.active")


def test_windows_together_cover_every_date_once(visit, exported):
    page = visit(exported)
    slider = page.get_by_label("Window of time")
    seen = []
    for position in range(int(slider.get_attribute("max")) + 1):
        slider.fill(str(position))
        seen += shown(page)
    assert sorted(seen) == sorted(d for d in DATES if d is not None)


def test_playing_moves_the_window_and_stops(visit, exported):
    page = visit(exported)
    page.get_by_label("Width of the window").select_option("10")
    page.get_by_label("Window of time").fill("18")
    play = page.get_by_role("button", name="Play")
    play.click()
    until(page, "document.querySelector('.timeline input').value === '20'")
    until(page, "document.querySelector('.timeline button').textContent === 'Play'")


def test_fits_a_phone(visit, exported):
    page = visit(exported, 390, 800)
    assert page.get_by_label("Window of time").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
