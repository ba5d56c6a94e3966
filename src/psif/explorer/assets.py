"""The files of the page, and the page as one file."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from importlib.resources import files
from typing import Any

# In the order in which they depend on each other.
SCRIPTS = (
    "arrays.js",
    "elements.js",
    "colours.js",
    "columns.js",
    "filters.js",
    "words.js",
    "remote.js",
    "engine.js",
    "split.js",
    "contrast.js",
    "overlap.js",
    "offline.js",
    "points.js",
    "pace.js",
    "contours.js",
    "labels.js",
    "view.js",
    "map.js",
    "tinted.js",
    "lines.js",
    "lists.js",
    "download.js",
    "contrastview.js",
    "chosen.js",
    "facets.js",
    "filterview.js",
    "timeline.js",
    "trends.js",
    "timeview.js",
    "document.js",
    "compare.js",
    "topics.js",
    "main.js",
)
STYLE = "style.css"
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}


def asset(name: str) -> str:
    """Return the text of one of the files of the page."""
    return files("psif.explorer").joinpath("page", name).read_text(encoding="utf-8")


def served_page() -> str:
    """Return the page that fetches its files and its data."""
    scripts = "\n".join(f'<script defer src="{name}"></script>' for name in SCRIPTS)
    head = f'<link rel="stylesheet" href="{STYLE}">\n{scripts}'
    return asset("index.html").replace("<!--HEAD-->", head).replace("<!--END-->", "")


def single_page(data: dict[str, Any]) -> bytes:
    """Return the page as one file; its policy allows its own script and nothing else."""
    script = "\n".join(asset(name) for name in SCRIPTS)
    style = asset(STYLE)
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{style}</style>'
    held = f'<script type="text/plain" id="data">{_compressed(data)}</script>'
    end = f"{held}\n<script>{script}</script>"
    page = asset("index.html").replace("<!--HEAD-->", head).replace("<!--END-->", end)
    return page.encode("utf-8")


def _compressed(data: dict[str, Any]) -> str:
    """Return the data as base64 of gzip of JSON, which browsers read without help."""
    content = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # Lone surrogates, which no encoding has, become escapes that JSON reads back.
    raw = content.encode("utf-8", "backslashreplace")
    return base64.b64encode(gzip.compress(raw, compresslevel=6, mtime=0)).decode("ascii")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
