"""The explorer as a widget of a notebook."""

import sys

import pytest

from psif import InputError, MissingExtraError
from psif.explorer import explore
from psif.explorer.memory import collection_of
from tests.explorer.test_page import until
from tests.explorer.worlds import documents, make_model, other_columns

DOCS = documents()
# A notebook in a few lines: a model of traits and a cell.
HOST = """
async ({ code, page }) => {
  const module = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  const traits = { page, height: 500, selected: [] }, heard = [];
  window.traits = traits;
  window.change = selected => { traits.selected = selected; heard.forEach(one => one()); };
  const model = {
    get: name => traits[name], set: (name, value) => { traits[name] = value; },
    save_changes: () => { window.saved = (window.saved ?? 0) + 1; },
    on: (name, one) => heard.push(one), off: () => heard.splice(0),
  };
  window.clean = module.default.render({ model, el: document.body });
}
"""


@pytest.fixture(scope="module")
def model():
    return make_model()


def columns():
    rows = other_columns()
    return {name: [row.get(name) for row in rows] for name in ("kind", "size", "when")}


def test_a_collection_of_texts_in_memory(model):
    found = collection_of(model, DOCS.values(), ids=DOCS, columns=columns(), title="Mine")
    assert found.sample.ids == list(DOCS)
    assert [(c.name, c.kind) for c in found.columns] == [
        ("kind", "label"),
        ("size", "number"),
        ("when", "date"),
    ]
    assert found.texts == list(DOCS.values())
    assert collection_of(model, ["ship", "sail"]).sample.ids == ["0", "1"]


def test_lengths_must_agree(model):
    with pytest.raises(InputError, match="ids must have one value per text: got 1 for 2"):
        collection_of(model, ["ship", "sail"], ids=["a"])
    with pytest.raises(InputError, match="column 'kind' must have one value per text: got 3"):
        collection_of(model, ["ship", "sail"], columns={"kind": [1, 2, 3]})


def test_a_missing_package_names_the_extra(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(MissingExtraError, match=r"psif\[notebook\]"):
        explore(model, ["ship"])


@pytest.mark.xdist_group("chromium")
def test_selections_go_both_ways(model, chromium, tmp_path):
    pytest.importorskip("anywidget")
    widget = explore(model, DOCS.values(), ids=DOCS, columns=columns())
    context = chromium.new_context(viewport={"width": 1200, "height": 700})
    page = context.new_page()
    page.evaluate(HOST, {"code": str(widget._esm), "page": widget.page})
    frame = page.frame_locator("iframe")
    frame.locator("body[data-ready]").wait_for()
    page.evaluate("change(['doc-3', 'doc-5', 'nobody'])")
    frame.locator("h2", has_text="2 documents selected").wait_for()
    assert page.evaluate("window.saved") is None
    inside = page.frames[1]
    inside.evaluate("Explorer.map.select([7, 8, 9])")
    until(page, "window.saved === 1")
    assert page.evaluate("traits.selected") == ["doc-7", "doc-8", "doc-9"]
    context.close()
