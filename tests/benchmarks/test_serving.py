"""The load generator counts what it sends."""

import numpy as np
import pytest

from benchmarks import serving
from psif.model.embedder import Embedder
from tests.corpora import texts, vectors


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("serving")
    Embedder(vectors(), n_topics=3, random_state=0).fit(texts()).save(folder / "psif")
    (folder / "texts.json").write_text('["ship sail", "bread butter"]')
    return folder


def test_a_small_load(root):
    seen = serving.load("psif", root, total=200, n_clients=8, encoding="float")
    assert (seen.requests, seen.errors) == (200, 0)
    assert 0 < seen.median <= seen.p99
    assert seen.memory_after > 1
    assert 0 < seen.cpu < 1000


def test_a_stop_under_load_loses_nothing(root):
    found = serving.stop_under_load(root, n_clients=8, rounds=1)
    assert found["lost"] == 0
    assert found["answered"] > 8


def test_the_report(tmp_path):
    load = serving.Load(100, 0, 2000.5, 20.0, 40.0, 0.4, 100.0, 101.0)
    found = {"clients": 8, "encoding": "float", "loads": {"psif": vars(load)}, "stops":
             {"stops": 2, "answered": int(np.int64(50)), "lost": 0}}  # fmt: skip
    serving.write_report(found, tmp_path / "serving.md")
    page = (tmp_path / "serving.md").read_text()
    assert "| psif | 100 | 0 | 2,000.5 | 20.0 | 40.0 | 0.4 | 100.0 | 101.0 |" in page
    assert "50 requests answered, 0 lost" in page
    assert "| 2,000 requests per second | yes |" in page


def test_aims_are_judged():
    fine = vars(serving.Load(9, 0, 2000.0, 9.0, 49.9, 0.4, 100.0, 101.0))
    slow = {**fine, "per_second": 1999.9, "p99": 50.0}
    found = {"loads": {"psif": fine, "model2vec": slow, "psif, long run": fine}}
    assert set(serving.verdicts(found).values()) == {"yes"}
    assert len(serving.verdicts(found)) == 5
    bad = {**slow, "errors": 1, "memory_after": 103.0}
    found = {"loads": {"psif": bad, "model2vec": fine, "psif, long run": bad}}
    found["stops"] = {"lost": 1}
    assert list(serving.verdicts(found).values()) == ["no"] * 6
