"""Draw the pictures of the documentation: python docs/pictures.py [NAME...].

``architecture`` needs nothing. The others need the evaluation data and word vectors in PSIF_DATA
and PSIF_VECTORS, and a Chromium.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from architecture import architecture_svg

from psif import PSIF
from psif.model.presets import PLAIN

if TYPE_CHECKING:
    from playwright.sync_api import Page

OUT = Path(__file__).parent / "_static"
# The pair of the paper's appendix; people gave it 0.75 of 5.
PAIR = ("A man is riding a motorcycle", "A woman is riding a horse")
EXAMPLE = {
    **PLAIN,
    "train_options": {"vocabulary": "corpus"},
    "frequencies": "wordfreq",
    "codes": "nonnegative",
    "random_state": 0,
}


def records(*parts: str) -> list[dict[str, str]]:
    path = Path(os.environ["PSIF_DATA"], *parts)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@contextmanager
def browser(url: str, view: str, width: int, height: int) -> Iterator[Page]:
    from playwright.sync_api import sync_playwright

    program = os.environ.get("PSIF_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": width, "height": height})
        page.goto(url)
        page.wait_for_selector("body[data-ready]")
        page.evaluate("view => { location.hash = view; }", view)
        page.wait_for_timeout(500)
        yield page
        chromium.close()


@contextmanager
def served(model: PSIF, docs: dict[str, str], title: str, folder: Path) -> Iterator[str]:
    import numpy as np

    from psif.explorer.answers import Answers
    from psif.explorer.collection import load_collection
    from psif.explorer.server import ExplorerServer

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.save(folder / "vectors.npy", model.transform(docs.values()))
    lines = "".join(json.dumps({"id": key}) + "\n" for key in docs)
    (folder / "vectors.npy.ids.jsonl").write_text(lines)
    collection = load_collection(model, folder / "vectors.npy", docs.items(), title=title)
    with ExplorerServer(Answers(collection)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.url
        server.shutdown()


def save(image: bytes, name: str) -> None:
    """Write a screenshot in 200 colours, a third of the bytes."""
    from PIL import Image

    Image.open(io.BytesIO(image)).convert("RGB").quantize(200).save(OUT / name, optimize=True)


def newsgroups(folder: Path) -> None:
    """Draw the map of the 20 Newsgroups training documents, and one of its documents."""
    docs = {}
    for record in records("20news_bydate", "train.jsonl.gz"):
        head, _, body = record["text"].partition("\n\n")
        subject = next((x for x in head.split("\n") if x.startswith("Subject: ")), "")
        docs[record["id"]] = f"{subject.removeprefix('Subject: ')}\n\n{body}"
    model = PSIF(random_state=0).fit(docs.values())
    with (
        served(model, docs, "20 Newsgroups", folder) as url,
        browser(url, "#/", 1280, 800) as shown,
    ):
        save(shown.screenshot(), "explorer-map.png")
        shown.fill("#query", "space shuttle launch")
        shown.press("#query", "Enter")
        # The first search makes an index.
        shown.wait_for_selector("#panel h2:has-text('Search')", timeout=300_000)
        shown.locator("#panel ol").last.locator("a").first.click()
        shown.wait_for_selector("#panel .text")
        shown.wait_for_timeout(300)
        save(shown.screenshot(), "explorer-document.png")


def pair(folder: Path) -> None:
    """Draw the paper's pair: SIF against P-SIF, and the compare view."""
    rows = records("sts", "STS12", "MSRvid.jsonl.gz")
    texts = [text for row in rows for text in (row["text_a"], row["text_b"])]
    vectors = Path(os.environ["PSIF_VECTORS"], "minilm-words-300d")
    models = {
        "sif": PSIF(vectors, **{**EXAMPLE, "n_topics": 1}).fit(texts),
        "psif": PSIF(vectors, **{**EXAMPLE, "n_topics": 40, "n_active": 4}).fit(texts),
    }
    for name, model in models.items():
        explanation = model.explain(*PAIR)
        print(f"\n{name}\n{explanation}")
        explanation.plot(n_topics=6).savefig(OUT / f"explained-{name}.png", dpi=100)
    docs = {str(i): text for i, text in enumerate(texts)}
    sides = "/".join("=" + text.replace(" ", "%20") for text in PAIR)
    with (
        served(models["psif"], docs, "Video descriptions", folder) as url,
        browser(url, f"#/compare/{sides}", 1000, 880) as shown,
    ):
        save(shown.locator("main").screenshot(), "explorer-compare.png")


def architecture(folder: Path) -> None:
    """Draw the packages of psif."""
    (OUT / "architecture.svg").write_text(architecture_svg(), encoding="utf-8")


def main() -> None:
    pictures = {"architecture": architecture, "pair": pair, "newsgroups": newsgroups}
    for name in sys.argv[1:] or pictures:
        with tempfile.TemporaryDirectory() as folder:
            pictures[name](Path(folder))


if __name__ == "__main__":
    main()
