"""Two selections told apart, in a real browser."""

import base64

import numpy as np
import pytest

from tests.explorer.test_filters import facet
from tests.explorer.test_page import until
from tests.explorer.worlds import other_columns

pytestmark = pytest.mark.xdist_group("chromium")
KINDS = [row.get("kind") for row in other_columns()]
SEA, SKY = ([i for i, kind in enumerate(KINDS) if kind == name] for name in ("sea", "sky"))


def bits(rows):
    flags = np.zeros(max(rows) + 1, dtype=bool)
    flags[rows] = True
    return base64.b64encode(np.packbits(flags, bitorder="little").tobytes()).decode("ascii")


@pytest.mark.parametrize("mode", ["served", "exported"])
def test_two_filtered_selections(visit, request, answers, mode):
    page = visit(request.getfixturevalue(mode) + "#/filter")
    facet(page, "kind").locator("button.label", has_text="sea").click()
    until(page, "Explorer.filters.count() === 20")
    page.get_by_role("button", name="Keep these documents").click()
    facet(page, "kind").locator("button.label", has_text="sea").click()
    facet(page, "kind").locator("button.label", has_text="sky").click()
    until(page, "Explorer.filters.count() === 20")
    page.get_by_role("button", name="Compare these documents").click()
    page.wait_for_selector("#distance")
    expected = answers.contrast(bits(SEA), bits(SKY))
    found = float(page.get_attribute("#distance", "data-distance"))
    assert found == pytest.approx(expected["distance"], abs=2e-3)
    tables = page.locator(".tables table").all()
    for table, side in zip(tables, ("first", "second"), strict=True):
        words = [row.locator("td").first.text_content() for row in table.locator("tr").all()[1:]]
        assert words[:3] == [part["word"] for part in expected[side]][:3]


def test_sets_that_are_no_sets_are_refused(answers):
    from psif import InputError

    for wrong in ("", "!!", 5, None, bits([500])):
        with pytest.raises(InputError, match="one bit per document"):
            answers.contrast(wrong, bits(SEA))
