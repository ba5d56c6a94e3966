"""A grid of cells whose first row is a header, as Markdown and as HTML."""

from __future__ import annotations

from html import escape

Grid = list[list[str]]

STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .7rem;text-align:left;"
    "border-bottom:1px solid #8884}"
)


def markdown_table(grid: Grid) -> list[str]:
    """Lines of a Markdown table."""
    rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in grid]
    return [rows[0], "|" + "---|" * len(grid[0]), *rows[1:]]


def html_table(grid: Grid) -> str:
    """Return a table element."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in grid[0])
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in grid[1:]
    )
    return f"<table><tr>{head}</tr>{rows}</table>"
