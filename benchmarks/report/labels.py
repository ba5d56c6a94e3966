"""Where labels of points go in a picture."""

from __future__ import annotations

from typing import TypeAlias

Point: TypeAlias = tuple[str, float, float]
Box: TypeAlias = tuple[float, float, float, float]


def place_labels(points: list[Point], width: float, height: float) -> list[Point]:
    """Offsets of labels from their points, chosen so that they cover no point and no other label.

    Parameters
    ----------
    points : list of (name, x, y)
        In units of the picture, like ``width`` and ``height`` of its area: 1/72 inch.
    """
    boxes = [(x - 5, y - 5, x + 5, y + 5) for _, x, y in points]
    offsets = []
    for name, x, y in points:
        wide = 6.0 * len(name)
        tries = [(9.0, 0.0), (-9 - wide, 0.0), (-wide / 2, 13.0), (-wide / 2, -13.0)]
        tries += [(9.0, 11.0), (9.0, -11.0), (-9 - wide, 11.0), (-9 - wide, -11.0)]

        def box(move: tuple[float, float], x: float = x, y: float = y, w: float = wide) -> Box:
            return (x + move[0], y + move[1] - 6, x + move[0] + w, y + move[1] + 6)

        def free(move: tuple[float, float]) -> bool:
            low_x, low_y, high_x, high_y = found = box(move)
            inside = low_x > 0 and high_x < width and low_y > 0 and high_y < height
            return inside and not any(overlap(found, other) for other in boxes)

        chosen = next((move for move in tries if free(move)), tries[0])
        boxes.append(box(chosen))
        offsets.append((name, *chosen))
    return offsets


def overlap(a: Box, b: Box) -> bool:
    """Say whether two boxes share a part."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
