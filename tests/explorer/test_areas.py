"""Named areas of the map."""

import base64

import numpy as np
import pytest

from psif.explorer.areas import LEVELS, NO_AREA, areas
from psif.text.flat import FlatDocs
from tests.explorer.test_page import until

NAMES = ["the", "ship", "sail", "plane", "runway", "bread", "oven"]


def world(n_each=150, seed=0):
    """Three clouds of documents: one per kind of words, and a document without a place."""
    rng = np.random.default_rng(seed)
    places, ids, kinds = [], [], []
    for kind, middle in enumerate([(0.1, 0.1), (0.9, 0.2), (0.5, 0.9)]):
        for _ in range(n_each):
            places.append(rng.normal(middle, 0.01))
            ids.append([0, 0, 1 + 2 * kind, 2 + 2 * kind])
            kinds.append(kind)
    places.append([np.nan, np.nan])
    ids.append([])
    lengths = [len(row) for row in ids]
    docs = FlatDocs(
        np.concatenate(ids).astype(np.int32), np.cumsum([0, *lengths]), np.array(lengths)
    )
    return np.array(places, dtype=np.float32), docs, kinds


def test_areas_are_named_by_what_their_documents_have_more_of():
    places, docs, kinds = world()
    levels = areas(places, docs, NAMES)
    assert [level["zoom"] for level in levels] == [zoom for zoom, _, _ in LEVELS]
    for level in levels:
        codes = np.frombuffer(base64.b64decode(level["codes"]["data"]), dtype="<u2")
        assert codes[-1] == NO_AREA
        for doc, kind in enumerate(kinds):
            # No area holds two clouds, so each has the words of one.
            assert set(level["names"][codes[doc]]) == set(NAMES[1 + 2 * kind : 3 + 2 * kind])
    assert len(levels[0]["names"]) < len(levels[1]["names"])


def test_the_same_places_give_the_same_areas():
    places, docs, _ = world()
    assert areas(places, docs, NAMES) == areas(places, docs, NAMES)


def test_few_documents_have_no_areas():
    places, docs, _ = world(n_each=5)
    assert areas(places, docs, NAMES) == []


@pytest.mark.xdist_group("chromium")
def test_names_become_finer_when_zooming_in(visit, exported):
    page = visit(exported)
    assert page.evaluate("Explorer.map.naming() === Explorer.map.labels")
    assert page.evaluate("Explorer.page.areas.length") == 1
    for _ in range(5):
        page.click("#closer")
    until(page, "Explorer.map.naming() !== Explorer.map.labels")
    shown = page.evaluate("Explorer.map.naming().names.flat()")
    assert {"ship", "sail", "anchor", "harbour"} & set(shown)
    page.click("#whole")
    until(page, "Explorer.map.naming() === Explorer.map.labels")
