"""Lines of equal density, in a real browser."""

import numpy as np
import pytest

from tests.explorer.test_page import until

pytestmark = pytest.mark.xdist_group("chromium")
SIDE, EDGE = 96, 4


def plain_density(places):
    """Counts per cell and three passes of a 3 x 3 mean, by loops."""
    wide = SIDE + 2 * EDGE
    grid = np.zeros((wide, wide))
    for x, y in places:
        grid[EDGE + min(SIDE - 1, int(y * SIDE)), EDGE + min(SIDE - 1, int(x * SIDE))] += 1
    for _ in range(3):
        before = grid.copy()
        for y in range(1, wide - 1):
            for x in range(1, wide - 1):
                grid[y, x] = before[y - 1 : y + 2, x - 1 : x + 2].mean()
    return grid


def at(grid, x, y):
    """Density at a place between the middles of cells, by linear interpolation."""
    column, row = x * SIDE + EDGE - 0.5, y * SIDE + EDGE - 0.5
    c, r = int(column), int(row)
    p, q = column - c, row - r
    return (1 - q) * ((1 - p) * grid[r, c] + p * grid[r, c + 1]) + q * (
        (1 - p) * grid[r + 1, c] + p * grid[r + 1, c + 1]
    )


@pytest.mark.parametrize("seed", [0, 1])
def test_lines_have_their_level_and_are_closed(visit, exported, seed):
    page = visit(exported)
    rng = np.random.default_rng(seed)
    places = np.clip(rng.normal(rng.uniform(0.3, 0.7, 2), 0.1, (200, 2)), 0, 1).astype(np.float32)
    found = page.evaluate(
        "places => { const made = Contours.density(Float32Array.from(places), null);"
        " const most = made.grid.reduce((a, b) => Math.max(a, b), 0);"
        " return [Array.from(made.grid), most, Contours.trace(made, 0.4 * most)]; }",
        places.ravel().tolist(),
    )
    grid = plain_density(places)
    np.testing.assert_allclose(found[0], grid.ravel(), atol=1e-5)
    pieces = np.array(found[2])
    for x1, y1, x2, y2 in pieces:
        assert at(grid, x1, y1) == pytest.approx(0.4 * found[1], abs=1e-4)
        assert at(grid, x2, y2) == pytest.approx(0.4 * found[1], abs=1e-4)
    ends = np.round(pieces.reshape(-1, 2), 9)
    _, times = np.unique(ends, axis=0, return_counts=True)
    assert set(times) == {2}


def test_the_button_draws_and_clears_them(visit, exported):
    page = visit(exported)
    # Opaque dots of the overlay, its labels left out.
    ink = """(() => {
        const map = Explorer.map, pen = map.pen, { width, height } = pen.canvas;
        map.labels.spots = []; map.labels.key = ""; map.paint();
        const data = pen.getImageData(0, 0, width, height).data;
        return data.reduce((n, v, i) => n + (i % 4 === 3 && v > 0), 0);
    })()"""
    assert page.evaluate(ink) == 0
    page.click("#contours")
    assert page.get_attribute("#contours", "aria-pressed") == "true"
    assert page.evaluate(ink) > 500
    page.click("#contours")
    until(page, "!Explorer.map.contours.on")
    assert page.evaluate(ink) == 0
