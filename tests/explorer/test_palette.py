import numpy as np
import pytest

from psif.explorer.palette import (
    GREY,
    PAGES,
    contrast,
    difference,
    from_hex,
    from_lab,
    palette,
    ramp,
    to_lab,
)

# Of the pairs that Sharma, Wu and Dalal (2005) publish to test implementations.
PUBLISHED = [
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
    ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
    ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0009), 7.1792),
    ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0011), 7.2195),
    ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]


@pytest.mark.parametrize(("one", "other", "expected"), PUBLISHED)
def test_differences_are_the_published_ones(one, other, expected):
    one, other = np.array(one), np.array(other)
    assert difference(one, other) == pytest.approx(expected, abs=5e-5)
    assert difference(other, one) == pytest.approx(expected, abs=5e-5)


def test_lab_and_contrast_of_known_colours():
    white, black, red = (from_hex(c) for c in ("#ffffff", "#000000", "#ff0000"))
    np.testing.assert_allclose(to_lab(white), [100, 0, 0], atol=0.02)
    np.testing.assert_allclose(to_lab(red), [53.24, 80.09, 67.20], atol=0.02)
    assert contrast(white, black) == pytest.approx(21)
    # A known grey that just passes 4.5:1 on white.
    assert contrast(from_hex("#767676"), white) == pytest.approx(4.54, abs=0.01)


def smallest_difference(colours):
    lab = to_lab(np.array([from_hex(colour) for colour in colours]))
    return min(float(difference(lab[i], lab[j])) for i in range(len(lab)) for j in range(i))


@pytest.mark.parametrize("page", list(PAGES))
@pytest.mark.parametrize("number", [1, 2, 20, 40, 60])
def test_colours_are_seen_and_have_no_twin(page, number):
    colours = palette(page, number)
    assert len(set(colours)) == number
    rgb = np.array([from_hex(colour) for colour in colours])
    assert contrast(rgb, from_hex(PAGES[page].back)).min() >= 3
    assert smallest_difference([*colours, GREY]) >= 10


@pytest.mark.parametrize("page", list(PAGES))
def test_more_colours_begin_with_fewer(page):
    assert palette(page, 30)[:12] == palette(page, 12)
    assert palette(page, 0) == ()
    # So many cannot all differ by 10, yet none is there twice.
    assert len(set(palette(page, 200))) == 200


def test_colours_go_to_lab_and_back():
    rgb = np.random.default_rng(0).uniform(0, 255, (50, 3))
    np.testing.assert_allclose(from_lab(to_lab(rgb)), rgb, atol=1e-3)


@pytest.mark.parametrize("page", list(PAGES))
def test_a_scale_moves_away_from_the_page(page):
    rgb = np.array([from_hex(colour) for colour in ramp(page)])
    ratios = contrast(rgb, from_hex(PAGES[page].back))
    assert ratios.min() >= 3
    assert (np.diff(ratios) > 0).all()
    lab = to_lab(rgb)
    steps = [float(difference(lab[i], lab[i + 1])) for i in range(len(lab) - 1)]
    # No step is seen as a border, none goes unseen, and the ends are far apart.
    assert min(steps) > 1
    assert max(steps) < 8
    assert difference(lab[0], lab[-1]) > 40
