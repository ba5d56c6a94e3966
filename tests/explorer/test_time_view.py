"""Shares per period, in a real browser; the counts and tests are those of psif.group.trends."""

import csv
import io

import numpy as np
import pytest

from psif.group.trends.shares import PERIODS, group_trends
from tests.explorer.test_page import go, until
from tests.explorer.worlds import other_columns

pytestmark = pytest.mark.xdist_group("chromium")
ROWS = other_columns()
DATES = [row.get("when") for row in ROWS]
KINDS = sorted({row["kind"] for row in ROWS if row.get("kind")})
LABELS = np.array([KINDS.index(row["kind"]) if row.get("kind") else -1 for row in ROWS])


@pytest.fixture(params=["served", "exported"])
def url(request):
    return request.getfixturevalue(request.param)


def cards(page):
    """Name, z and p of each label that is shown."""
    return {
        card.locator("b").text_content(): (
            card.locator(".change").text_content(),
            float(card.locator(".change").get_attribute("data-z")),
            float(card.locator(".change").get_attribute("data-p")),
        )
        for card in page.locator("article.card").all()[1:]
    }


def test_shares_are_those_of_python(visit, url):
    page = visit(url + "#/time")
    page.get_by_label("Share of each").select_option(label="kind")
    page.get_by_label("per", exact=True).select_option("month")
    until(page, "document.querySelectorAll('article.card b').length > 3")
    expected = group_trends(DATES, LABELS, KINDS, "month")
    # A label without a single dated document is not shown, but counts as a test.
    shown = {name: g for g, name in enumerate(KINDS) if expected.counts[:, g].any()}
    found = cards(page)
    assert set(found) == set(shown)
    for name, g in shown.items():
        told, z, p = found[name]
        assert expected.change(g) in told
        assert (z, p) == pytest.approx((expected.slopes[g], expected.p_values[g]), rel=1e-6)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="CSV").click()
    table = list(csv.DictReader(io.StringIO(waiting.value.path().read_text())))
    for row in table:
        t, g = expected.starts.index(row["period"]), KINDS.index(row["group"])
        assert float(row["documents"]) == expected.counts[t, g]
        assert float(row["share"]) == pytest.approx(expected.shares[t, g])
        assert int(row["all_documents"]) == expected.totals[t]


def test_random_dates_and_labels_of_every_period(visit, exported):
    page = visit(exported)
    rng = np.random.default_rng(5)
    for period, days in zip(PERIODS, (25, 150, 700, 2_500, 9_000), strict=True):
        seconds = np.floor(rng.uniform(-days, days, 400)) * 86_400
        # The first label becomes rarer, the second more frequent.
        late = (seconds / 86_400 + days) / (2 * days)
        labels = np.where(rng.random(400) < 0.5 * late, 1, np.where(rng.random(400) < 0.4, 0, 2))
        dates = [np.datetime64(int(s), "s").item() for s in seconds]
        expected = group_trends(dates, labels, ["a", "b", "c"], None)
        found = page.evaluate(
            """([values, codes]) => {
                const labels = { names: ["a", "b", "c"], codes };
                const trends = Trends.count({ values }, labels, () => true);
                return { ...trends, change: [0, 1, 2].map(trends.change) };
            }""",
            [seconds.tolist(), labels.tolist()],
        )
        assert (found["period"], found["starts"]) == (expected.period, expected.starts)
        assert found["period"] == period
        assert found["totals"] == expected.totals.tolist()
        assert found["counts"] == expected.counts.T.tolist()
        assert found["slopes"] == pytest.approx(expected.slopes.tolist())
        assert found["p"] == pytest.approx(expected.p_values.tolist(), rel=1e-6)
        assert found["change"] == [expected.change(g) for g in range(3)]


def test_filters_apply_and_none_left_is_told(visit, exported):
    page = visit(exported)
    page.evaluate(
        "Explorer.filters.change(Explorer.columns.find(one => one.name === 'kind'),"
        " { labels: new Set([0]) })"
    )
    go(page, "#/time")
    assert "20 documents that pass the filters" in page.locator("#panel").text_content()
    page.evaluate(
        "Explorer.filters.change(Explorer.columns.find(one => one.name === 'note'),"
        " { contains: '</script>' })"
    )
    go(page, "#/")
    go(page, "#/time")
    assert "None of the documents" in page.locator("#panel").text_content()


def test_a_choice_keeps_the_focus_and_all_fits_a_phone(visit, exported):
    page = visit(exported + "#/time", 390, 800)
    chosen = page.get_by_label("Share of each")
    chosen.focus()
    chosen.select_option(label="kind")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Share of each"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_names_with_markup_are_text(visit, exported):
    page = visit(exported + "#/time")
    page.get_by_label("Share of each").select_option(label="<b>rating</b>")
    assert page.locator("#panel b b").count() == 0
    assert page.title() == "Ships & <b>planes</b> · psif explorer"
