"""Folders that are replaced while they are read, at every place in the reader."""

import os
import shutil
import sys

import pytest

from psif import PSIF, PSIFClassifier, WordVectors
from psif.group.clusters.groups import Groups, find_groups
from psif.runtime.atomic import _exchange
from tests import corpora

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
TEXTS = corpora.texts(30)


def model(n_docs):
    settings = {"n_topics": 2, "n_dims": 5, "random_state": 0}
    return PSIF(corpora.vectors(), **settings).fit(corpora.texts(n_docs))


def vectors(n_docs):
    """As many words in either table, but not the same."""
    table = corpora.vectors()
    words = [f"{word}-{n_docs}" for word in table.words]
    return WordVectors(words, table.matrix + n_docs)


def classifier(n_docs):
    labels = ["ab"[i % 2] for i in range(n_docs)]
    return PSIFClassifier(model(n_docs), random_state=0).fit(TEXTS[:n_docs], labels)


def groups(n_docs):
    return find_groups(model(n_docs), corpora.texts(40), 2)


KINDS = {
    "model": (model, PSIF.load, lambda found: found.transform(TEXTS).tobytes()),
    "vectors": (
        vectors,
        WordVectors.load,
        lambda found: (found.words[0], found.matrix[0].tobytes()),
    ),
    "classifier": (
        classifier,
        PSIFClassifier.load,
        lambda found: found.decision_function(TEXTS).tobytes(),
    ),
    "groups": (groups, Groups.load, lambda found: found.assign(TEXTS).cosines.tobytes()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_reader_never_finds_a_mixture(kind, tmp_path):
    make, load, look = KINDS[kind]
    folders = [tmp_path / "first", tmp_path / "second"]
    for n_docs, folder in zip((30, 25), folders, strict=True):
        make(n_docs).save(folder)
    states = [look(load(folder)) for folder in folders]
    assert states[0] != states[1]
    n_opened = 0
    for at in range(1, 100):
        spare = shutil.copytree(folders[1], tmp_path / "spare")
        target = shutil.copytree(folders[0], tmp_path / "target")
        code = _in_child(lambda: look(load(target)) in states, target, spare, at)  # noqa: B023
        shutil.rmtree(spare)
        shutil.rmtree(target)
        assert code in (0, 9), f"replaced at opening {at}: {'a mixture' if code == 3 else code}"
        if code == 9:  # so many files are not opened
            break
        n_opened += 1
    assert n_opened >= 3


def _in_child(check, target, spare, at):
    """Exchange the folders when the reader opens its ``at``-th file; 0: well, 9: not reached."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    count = 0

    def hook(event, arguments):
        nonlocal count
        if event == "open" and str(arguments[0]).startswith(str(target)):
            count += 1
            if count == at:
                assert _exchange(spare, target)

    code = 4
    try:
        sys.addaudithook(hook)
        good = check()
        code = 9 if count < at else 0 if good else 3
    finally:
        os._exit(code)
