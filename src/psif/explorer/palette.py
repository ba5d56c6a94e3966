r"""Colours that are distinct and visible, on a light and on a dark page.

Candidates are the colours of a grid in sRGB that have a contrast of at least 3:1 to the page
(WCAG 2.2, success criterion 1.4.11), are neither grey nor glaring, and are not close to the grey
of documents without a topic. From them colours are taken greedily: each is the candidate whose
smallest difference :math:`\Delta E_{00}` (CIEDE2000) to those already taken is largest. So the
first colours differ most, and belong to the largest topics.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from psif.types import DoubleMatrix, DoubleVector

LEAST_CONTRAST = 3.0
# The colour of documents without a topic.
GREY = "#8c8c8c"
# Steps of each channel of the grid of candidates.
_STEPS = 24
# D65, the white of sRGB.
_WHITE = np.array([0.95047, 1.0, 1.08883])
_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


@dataclass(frozen=True)
class Page:
    """Background of a page, and the allowed lightness and chroma of colours on it."""

    back: str
    lightness: tuple[float, float]
    chroma: tuple[float, float]


# The backgrounds are --card of style.css.
PAGES = {
    "light": Page("#ffffff", (25.0, 62.0), (22.0, 85.0)),
    "dark": Page("#202227", (45.0, 92.0), (18.0, 80.0)),
}


@lru_cache(maxsize=64)
def palette(page: str, number: int) -> tuple[str, ...]:
    """Return ``number`` colours as ``#rrggbb``, the most different first."""
    look = PAGES[page]
    colours = _candidates(look)
    lab = to_lab(colours)
    nearest = difference(lab, to_lab(from_hex(GREY)))
    # The first colour is the strongest: the one furthest from grey.
    chosen: list[int] = []
    while len(chosen) < number:
        best = int(nearest.argmax())
        chosen.append(best)
        nearest = np.minimum(nearest, difference(lab, lab[best]))
    return tuple("#" + bytes(colours[i].astype(np.uint8)).hex() for i in chosen)


@lru_cache(maxsize=8)
def ramp(page: str, number: int = 32) -> tuple[str, ...]:
    """Return the colours of a scale from low to high, as ``#rrggbb``.

    Lightness moves evenly away from the page, hue from yellow-green over blue to violet (on a
    dark page the other way), and chroma is as large as sRGB and the bound allow.
    """
    look = PAGES[page]
    start, end = (look.lightness[1] - 1, 27.0) if page == "light" else (50.0, 90.0)
    hues = (115.0, 310.0) if page == "light" else (310.0, 105.0)
    made = []
    for part in np.linspace(0, 1, number):
        lightness = start + (end - start) * part
        hue = np.radians(hues[0] + (hues[1] - hues[0]) * part)
        chromas = np.arange(70.0, 0.0, -1.0)
        lab = np.stack(
            [np.full(len(chromas), lightness), chromas * np.cos(hue), chromas * np.sin(hue)], axis=1
        )
        rgb = from_lab(lab)
        inside = ((rgb >= 0) & (rgb <= 255)).all(axis=1)
        made.append(rgb[int(inside.argmax())])
    return tuple("#" + bytes(rgb.round().astype(np.uint8)).hex() for rgb in made)


def _candidates(look: Page) -> DoubleMatrix:
    steps = np.linspace(0, 255, _STEPS).round()
    grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    lab = to_lab(grid)
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    (least_l, most_l), (least_c, most_c) = look.lightness, look.chroma
    fine = (lab[:, 0] >= least_l) & (lab[:, 0] <= most_l)
    fine &= (chroma >= least_c) & (chroma <= most_c)
    fine &= contrast(grid, from_hex(look.back)) >= LEAST_CONTRAST
    chosen: DoubleMatrix = grid[fine]
    return chosen


def from_hex(colour: str) -> DoubleVector:
    """Return red, green and blue, from 0 to 255."""
    return np.array(list(bytes.fromhex(colour.removeprefix("#"))), dtype=np.float64)


def _linear(rgb: DoubleMatrix | DoubleVector) -> DoubleMatrix:
    scaled = np.asarray(rgb, dtype=np.float64) / 255
    linear: DoubleMatrix = np.where(
        scaled <= 0.04045, scaled / 12.92, ((scaled + 0.055) / 1.055) ** 2.4
    )
    return linear


def contrast(rgb: DoubleMatrix, back: DoubleVector) -> DoubleVector:
    """Return the WCAG contrast: (lighter + 0.05) / (darker + 0.05) of relative luminances."""
    first, second = _linear(rgb) @ _TO_XYZ[1], _linear(back) @ _TO_XYZ[1]
    ratio: DoubleVector = (np.maximum(first, second) + 0.05) / (np.minimum(first, second) + 0.05)
    return ratio


def to_lab(rgb: DoubleMatrix | DoubleVector) -> DoubleMatrix:
    """Convert sRGB colours to CIELAB."""
    ratio = _linear(rgb) @ _TO_XYZ.T / _WHITE
    f = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.stack(
        [116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])],
        axis=-1,
    )


def from_lab(lab: DoubleMatrix) -> DoubleMatrix:
    """Inverse of :func:`to_lab`; below 0 or above 255 if sRGB has no such colour."""
    y = (lab[:, 0] + 16) / 116
    f = np.stack([y + lab[:, 1] / 500, y, y - lab[:, 2] / 200], axis=1)
    ratio = np.where(f**3 > 216 / 24389, f**3, (116 * f - 16) * 27 / 24389)
    linear = (ratio * _WHITE) @ np.linalg.inv(_TO_XYZ).T
    curved = 1.055 * np.maximum(linear, 0.0031308) ** (1 / 2.4) - 0.055
    rgb: DoubleMatrix = 255 * np.where(linear <= 0.0031308, 12.92 * linear, curved)
    return rgb


def difference(lab: DoubleMatrix, other: DoubleVector) -> DoubleVector:
    """Return the CIEDE2000 difference of each colour and another, with all weights 1.

    In the notation of Sharma, Wu and Dalal (2005), "The CIEDE2000 color-difference formula".
    """
    l1, a1, b1 = np.moveaxis(lab, -1, 0)
    l2, a2, b2 = np.moveaxis(other, -1, 0)
    mean_c7 = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    g = 0.5 * (1 - np.sqrt(mean_c7 / (mean_c7 + 25.0**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    grey = c1 * c2 == 0
    dh = np.where(grey, 0, (h2 - h1 + 180) % 360 - 180)
    delta_h = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(dh / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    mean_h = np.where(grey, h1 + h2, (h1 + dh / 2) % 360)
    t = (
        1
        - 0.17 * np.cos(np.radians(mean_h - 30))
        + 0.24 * np.cos(np.radians(2 * mean_h))
        + 0.32 * np.cos(np.radians(3 * mean_h + 6))
        - 0.20 * np.cos(np.radians(4 * mean_h - 63))
    )
    theta = 30 * np.exp(-(((mean_h - 275) / 25) ** 2))
    r_c = 2 * np.sqrt(mean_c**7 / (mean_c**7 + 25.0**7))
    s_l = 1 + 0.015 * (mean_l - 50) ** 2 / np.sqrt(20 + (mean_l - 50) ** 2)
    s_c, s_h = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    rotation = -np.sin(np.radians(2 * theta)) * r_c
    by_l, by_c, by_h = (l2 - l1) / s_l, (c2 - c1) / s_c, delta_h / s_h
    result: DoubleVector = np.sqrt(by_l**2 + by_c**2 + by_h**2 + rotation * by_c * by_h)
    return result
