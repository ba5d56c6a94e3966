"""The explorer at size: seconds and memory of the map, the exported page, frames while panning.

``python -m benchmarks.explorer 100000 --folder F`` writes documents of four real sentences (100
words) with a label and a date, embeds them, and then measures, each as a user would run it:

- ``psif explore --export`` (up to 100,000 documents): seconds, peak memory, megabytes of the page;
  in Chromium, seconds until it is ready and seconds of a search;
- ``psif explore`` as a server: seconds until its address is there, peak memory; in Chromium,
  seconds until the page is ready, and milliseconds between frames while the map is dragged.

``--full FILE`` takes real documents and all numbers of their vectors instead. Headless Chromium
draws without a graphics card, so frames are slower than on most machines of users.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.duplicates import made_texts

_PSIF = [sys.executable, "-m", "psif"]
_QUERY = "space shuttle launch"
_MOST_EXPORTED = 100_000


def write_documents(path: Path, data: Path, n_docs: int) -> None:
    """Write documents with a label and a date."""
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(made_texts(data, n_docs)):
            row = {
                "id": f"doc-{number}",
                "text": text,
                "kind": f"kind {number % 12}",
                "when": f"2024-{number % 12 + 1:02d}-{number % 28 + 1:02d}",
            }
            file.write(json.dumps(row) + "\n")


def embed(documents: Path, vectors: Path, *, dims: str) -> None:
    """Embed once; the vectors of an earlier run are kept."""
    if not vectors.exists():
        words = ["embed", str(documents), "-o", str(vectors), "--dims", dims, "--fit-limit", "10"]
        subprocess.run([*_PSIF, *words], check=True, stderr=subprocess.DEVNULL)


def export(words: list[str], page: Path) -> dict[str, Any]:
    """Write the page in a process of its own."""
    began = time.monotonic()
    process = subprocess.Popen([*_PSIF, *words, "--export", str(page)])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit("psif explore --export failed")
    return {
        "what": "export",
        "seconds": round(time.monotonic() - began, 1),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_gb": round(usage.ru_maxrss / 1e6, 2),
        "page_mb": round(page.stat().st_size / 1e6, 1),
    }


@contextmanager
def browser_page() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright
    from tests.explorer.browser import FLAGS, find_chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(300_000)
        yield page
        browser.close()


def look(url: str) -> dict[str, Any]:
    """Open a page; search once, drag the map for some seconds."""
    with browser_page() as page:
        began = time.monotonic()
        page.goto(url)
        page.wait_for_selector("body[data-ready]")
        ready = time.monotonic() - began
        # Dots of very many documents come in several frames.
        page.wait_for_timeout(5_000)
        frames = drag(page)
        began = time.monotonic()
        page.fill("#query", _QUERY)
        page.press("#query", "Enter")
        page.wait_for_selector("h2:has-text('Search:')")
        first = time.monotonic() - began
        began = time.monotonic()
        page.fill("#query", _QUERY + " orbit")
        page.press("#query", "Enter")
        page.wait_for_selector("h2:has-text('orbit')")
        return {
            "ready_seconds": round(ready, 1),
            "search_seconds": [round(first, 2), round(time.monotonic() - began, 2)],
            "frame_ms_median": round(frames[len(frames) // 2], 1),
            "frame_ms_p95": round(frames[int(0.95 * len(frames))], 1),
            "frames": len(frames),
        }


def drag(page: Any) -> list[float]:
    """Return milliseconds between frames while the map is dragged, in rising order."""
    page.evaluate(
        """() => {
            window.seen = [];
            const note = now => {
                if (!window.seen) return;
                window.seen.push(now);
                requestAnimationFrame(note);
            };
            requestAnimationFrame(note);
        }"""
    )
    box = page.locator("#overlay").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    started = page.evaluate("window.seen.length")
    end = time.monotonic() + 6
    step = 0
    while time.monotonic() < end:
        step += 1
        page.mouse.move(x + 120 * ((step % 40) - 20) / 20, y + 60 * ((step % 26) - 13) / 13)
    page.mouse.up()
    times = page.evaluate("window.seen")[started:]
    page.evaluate("() => { window.seen = null; }")
    return sorted(after - before for before, after in pairwise(times))


def serve(words: list[str]) -> dict[str, Any]:
    """Serve the page in a process of its own, and look at it."""
    began = time.monotonic()
    process = subprocess.Popen([*_PSIF, *words, "--no-open"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        seconds = time.monotonic() - began
        laid_out = _peak(process.pid)
        seen = look(url)
        return {
            "what": "serve",
            "seconds": round(seconds, 1),
            "peak_gb": laid_out,
            "peak_gb_while_looked_at": _peak(process.pid),
            **seen,
        }
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def _peak(pid: int) -> float:
    """Return the largest memory of a process so far, in gigabytes (Linux)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    kilobytes = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return round(kilobytes / 1e6, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("documents", type=int)
    parser.add_argument("--folder", type=Path, default=Path("explorer-sizes"))
    parser.add_argument("--dims", default="256")
    parser.add_argument("--full", type=Path, help="real documents, all numbers of their vectors")
    parser.add_argument("--only", choices=["prepare", "export", "serve"])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PSIF_DATA", ".")))
    options = parser.parse_args()
    folder, dims = options.folder, "all" if options.full else options.dims
    folder.mkdir(parents=True, exist_ok=True)
    documents = options.full or folder / f"made-{options.documents}.jsonl"
    if not documents.exists():
        write_documents(documents, options.data, options.documents)
    vectors = folder / f"{documents.stem}-{dims}.parquet"
    embed(documents, vectors, dims=dims)
    if options.only == "prepare":
        return
    words = ["explore", str(vectors.with_suffix(".model")), str(vectors), "--texts", str(documents)]
    facts = {"documents": options.documents, "dims": dims}
    if options.documents <= _MOST_EXPORTED and options.only != "serve":
        page = folder / f"{vectors.stem}.html"
        row = export(words, page)
        print(json.dumps({**facts, **row, **look(page.resolve().as_uri())}), flush=True)
    if options.only != "export":
        print(json.dumps({**facts, **serve(words)}), flush=True)


if __name__ == "__main__":
    main()
