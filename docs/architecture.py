"""The packages of psif as a picture: imports point down, data flows from left to right."""

from __future__ import annotations

from textwrap import wrap
from xml.sax.saxutils import escape

# By band, from what users call down to what everything uses. A test compares the names with the
# folders of the package.
PACKAGES: dict[str, dict[str, str]] = {
    "what you call": {
        "cli": "one command per file: read arguments, call the library, print",
        "serve": "models, indexes and classifiers over HTTP",
        "integrations": "exports to vector stores, adapters for other libraries",
        "explorer": "a web page about a collection, served or in one file",
        "distributed": "the same steps on a Dask cluster, as sums over partitions",
    },
    "how well it works": {
        "evaluation": "tasks, protocols, scores, the paper's tables",
        "baselines": "related methods behind the interface of PSIF",
    },
    "what people do with vectors": {
        "search": "an index: exact words and topics together, with the reason for every hit",
        "classify": "labels with exact reasons: linear classifiers, C chosen by folds",
        "group": "duplicates, named groups of documents, change over time",
    },
    "the model": {
        "model": "settings, presets, fitting, Embedder, PSIF, saved files",
        "explain": "a score split over topics and word pairs; topics, senses, kernels",
    },
    "from files to document vectors": {
        "files": "documents in, vectors out",
        "text": "texts to word ids",
        "vectors": "one vector per word",
        "partitions": "topic codes per word",
        "documents": "weights, averages, components",
    },
    "what everything uses": {
        "compiled": "numba loops: arrays in, arrays out",
        "runtime": "threads, BLAS products, seeds, atomic files",
        "errors, types, version": "import nothing of ours",
    },
}
_FLOW = "from files to document vectors"
_WIDTH, _LEFT, _RIGHT, _GAP = 1000, 24, 976, 14
_LINE, _CHARACTER = 19, 6.9  # height of a line, width of a character
_STYLE = """
rect { stroke: #9aa; stroke-width: 1.2; fill: #fff }
text { fill: #444 }
.flow { fill: #eef4f7 }
.beside { fill: none; stroke-dasharray: 5 4 }
.ground { fill: #fbfaf7; stroke: none }
.name { fill: #111; font-weight: 600; font-size: 15px }
.band { fill: #777 }
.arrow { stroke: #555; stroke-width: 2 }
"""
_HEAD = (
    '<marker id="head" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="4" markerHeight="4" '
    'orient="auto"><path d="M0 0 L10 5 L0 10z" fill="#555"/></marker>'
)


def architecture_svg() -> str:
    """Return the picture."""
    note = "imports point down only"
    shapes = [f'<text x="{_RIGHT}" y="34" class="band" text-anchor="end">{note}</text>']
    y = 20
    for band, packages in PACKAGES.items():
        shapes.append(f'<text x="{_LEFT}" y="{y + 14}" class="band">{escape(band)}</text>')
        drawn, height = _boxes(packages, y + 24, flow=band == _FLOW)
        shapes += drawn
        y += 24 + height + 16
    shapes.append(
        f'<rect x="{_LEFT}" y="{y}" width="{_RIGHT - _LEFT}" height="44" rx="6" class="beside"/>'
        f'<text x="{_LEFT + 14}" y="{y + 27}"><tspan class="name">benchmarks</tspan>'
        '<tspan dx="14">measure psif from outside; not part of the wheel</tspan></text>'
    )
    height = y + 64
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-size="13" '
        'font-family="system-ui, sans-serif" role="img" aria-label="The packages of psif">',
        f"<style>{_STYLE}</style>",
        f"<defs>{_HEAD}</defs>",
        f'<rect width="{_WIDTH}" height="{height}" rx="10" class="ground"/>',
        *shapes,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _boxes(packages: dict[str, str], y: int, *, flow: bool) -> tuple[list[str], int]:
    """Draw one band; return its shapes and its height."""
    box = (_RIGHT - _LEFT - _GAP * (len(packages) - 1)) / len(packages)
    texts = [wrap(text, int((box - 22) / _CHARACTER)) for text in packages.values()]
    height = 42 + _LINE * max(map(len, texts))
    kind = "flow" if flow else "box"
    shapes = []
    for i, (name, lines) in enumerate(zip(packages, texts, strict=True)):
        x = round(_LEFT + i * (box + _GAP))
        shapes += [
            f'<rect x="{x}" y="{y}" width="{box:.0f}" height="{height}" rx="6" class="{kind}"/>',
            f'<text x="{x + 14}" y="{y + 26}" class="name">{escape(name)}</text>',
        ]
        for n, line in enumerate(lines):
            shapes.append(f'<text x="{x + 14}" y="{y + 48 + _LINE * n}">{escape(line)}</text>')
        if flow and i:
            line = f"M{x - _GAP + 1} {y + height // 2} h{_GAP - 3}"
            shapes.append(f'<path d="{line}" class="arrow" marker-end="url(#head)"/>')
    return shapes, height
