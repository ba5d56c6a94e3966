"""Chosen documents as files, in a real browser."""

import csv
import io
import json

import pytest

from tests.explorer.test_filters import facet
from tests.explorer.test_page import until
from tests.explorer.worlds import documents, other_columns

pytestmark = pytest.mark.xdist_group("chromium")
DOCS = documents()
IDS = list(DOCS)
ROWS = other_columns()


@pytest.fixture(params=["served", "exported"])
def url(request):
    return request.getfixturevalue(request.param)


def saved(page, name):
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name).click()
    return waiting.value.suggested_filename, waiting.value.path().read_text(encoding="utf-8")


def as_written(text):
    """What a file in UTF-8 can hold of a text."""
    return (
        text.encode("utf-8", "replace").decode().replace("?", "\ufffd")
        if "\ud800" in text
        else text
    )


def test_filtered_documents_are_saved_with_every_column(visit, url):
    page = visit(url + "#/filter")
    facet(page, "kind").locator("button.label", has_text="sky").click()
    until(page, "Explorer.filters.count() === 20")
    name, content = saved(page, "as JSON Lines")
    assert name == "documents.jsonl"
    wanted = [i for i, row in enumerate(ROWS) if row.get("kind") == "sky"]
    records = [json.loads(line) for line in content.splitlines()]
    assert [r["id"] for r in records] == [IDS[i] for i in wanted]
    for i, record in zip(wanted, records, strict=True):
        assert record["text"] == DOCS[IDS[i]]
        assert record["size"] == ROWS[i]["size"]
        assert record["when"] == ROWS[i]["when"]
        assert record["<b>rating</b>"] == str(ROWS[i]["<b>rating</b>"])
        assert record["psif_topic"]
    name, content = saved(page, "as CSV")
    assert name == "documents.csv"
    table = list(csv.DictReader(io.StringIO(content, newline="")))
    assert [row["id"] for row in table] == [r["id"] for r in records]
    assert [row["text"] for row in table] == [r["text"] for r in records]
    assert [float(row["size"]) for row in table] == [r["size"] for r in records]


def test_hostile_documents_are_saved_as_they_are(visit, url):
    page = visit(url + "#/filter")
    _, content = saved(page, "as JSON Lines")
    records = [json.loads(line) for line in content.splitlines()]
    assert [r["id"] for r in records] == IDS
    assert [as_written(r["text"]) for r in records] == [as_written(text) for text in DOCS.values()]
    table = list(csv.DictReader(io.StringIO(saved(page, "as CSV")[1], newline="")))
    assert [row["id"] for row in table] == IDS
    assert page.title().startswith("Ships")


def test_a_selection_is_copied(visit, url):
    page = visit(url)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    box = page.locator("#overlay").bounding_box()
    page.click("#lasso")
    corners = [
        (2, 2),
        (box["width"] - 3, 2),
        (box["width"] - 3, box["height"] - 3),
        (2, box["height"] - 3),
    ]
    page.mouse.move(box["x"] + corners[0][0], box["y"] + corners[0][1])
    page.mouse.down()
    for x, y in corners[1:]:
        page.mouse.move(box["x"] + x, box["y"] + y)
    page.mouse.up()
    page.wait_for_selector("h2:has-text('documents selected')")
    page.get_by_role("button", name="Copy these documents").click()
    until(page, "document.querySelector('.chosen [role=status]').textContent.endsWith('copied')")
    table = list(csv.DictReader(io.StringIO(page.evaluate("navigator.clipboard.readText()"))))
    # All documents have a place but the one without a known word.
    assert [row["id"] for row in table] == [key for key in IDS if key != "empty"]
