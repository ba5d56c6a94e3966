import importlib.metadata

import pytest
from benchmarks.peers import NAMES, peer_class
from benchmarks.plan import make_plan
from benchmarks.requirements import missing_data
from benchmarks.selection import choose
from benchmarks.sizes import SIZES

from psif.errors import InputError


@pytest.fixture(scope="module")
def full():
    return make_plan(SIZES["full"], 2)


def names(jobs):
    return [job.name for job in jobs]


def test_what_is_needed_comes_before(full):
    seen = set()
    for job in full:
        assert set(job.needs) <= seen, job.name
        seen.add(job.name)
    assert len(seen) == len(full)


def test_every_peer_is_measured_with_one_and_with_all_threads(full):
    for name in NAMES:
        assert {f"embed/{name}/1", f"embed/{name}/2", f"score/{name}"} <= set(names(full))


def test_only_takes_what_is_named_and_what_that_needs(full):
    chosen = names(choose(full, ["embed/tfidf/1"], costly=False))
    assert chosen == ["fit/tfidf/2", "embed/tfidf/1"]
    assert "table/model2vec-table" in names(choose(full, ["model2vec"], costly=False))


def test_costly_ones_wait_until_asked_for(full):
    costly = {job.name for job in full if job.costly}
    assert costly == {
        "vectors/gensim-sgns", "fit/numpy-reference/2", "score/minilm", "trainers/gensim-sgns",
        "trainers/gensim-sgns-5", "trainers/gensim-fasttext-1",
    }  # fmt: skip
    assert not costly & set(names(choose(full, [], costly=False)))
    assert costly <= set(names(choose(full, [], costly=True)))
    assert names(choose(full, ["vectors/gensim-sgns"], costly=False)) == ["vectors/gensim-sgns"]


def test_a_wrong_name_is_explained(full):
    with pytest.raises(InputError, match=r"unknown measurement 'embd'.*--list"):
        choose(full, ["embd"], costly=False)


def test_a_missing_package_is_a_reason_to_skip(monkeypatch):
    def version(name):
        if name in ("gensim", "ksvd", "torch"):
            raise importlib.metadata.PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(importlib.metadata, "version", version)
    jobs = {job.name: job for job in make_plan(SIZES["quick"], 2)}
    assert jobs["fit/doc2vec/2"].skip == "needs the package gensim, which is not installed"
    assert "gensim" in jobs["vectors/gensim-sgns"].skip
    assert "torch" in jobs["embed/minilm/2"].skip
    assert "ksvd" in jobs["dictionary/ksvd"].skip
    assert jobs["fit/psif/2"].skip is None


def test_without_data_and_vectors(monkeypatch, tmp_path):
    monkeypatch.delenv("PSIF_DATA", raising=False)
    monkeypatch.delenv("PSIF_VECTORS", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert "needs the STS Benchmark" in missing_data("the STS Benchmark", "stsb/test.jsonl.gz")
    jobs = {job.name: job for job in make_plan(SIZES["full"], 2)}
    assert "PSIF_DATA" in jobs["sts/psif"].skip
    assert "PSIF_VECTORS" in peer_class("psif-words").skip_reason()


def test_a_wrong_peer_is_explained():
    with pytest.raises(InputError, match=r"no peer is called 'x'; there are psif,"):
        peer_class("x")
