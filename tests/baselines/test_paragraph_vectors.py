import os
import subprocess
import sys

import numpy as np
import pytest

from psif import MissingExtraError
from psif.baselines import make_method
from tests.baselines.corpus import LABELS, NEW, TEXTS

# Enough documents and passes for the vectors to mean something.
MANY = {
    "n_components": 12,
    "min_count": 1,
    "epochs": 40,
    "random_state": 0,
    # In so small a corpus every word is frequent: gensim would leave most of them out.
    "options": {"sample": 0},
}


@pytest.mark.parametrize("name", ["pv-dm", "pv-dbow"])
def test_documents_of_one_theme_are_alike(name):
    texts, labels = TEXTS * 20, np.array(LABELS * 20)
    rows = make_method(name, **MANY).fit_transform(texts)
    rows = rows - rows.mean(axis=0)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    same = labels[:, None] == labels[None, :]
    table = rows @ rows.T
    assert table[same].mean() > table[~same].mean() + 0.1


@pytest.mark.parametrize("name", ["pv-dm", "pv-dbow"])
def test_inferred_vectors_are_near_those_of_training(name):
    texts = TEXTS * 20
    method = make_method(name, **MANY)
    trained, inferred = method.fit_transform(texts), method.transform(texts)
    cosines = np.einsum("ij,ij->i", trained, inferred)
    cosines /= np.linalg.norm(trained, axis=1) * np.linalg.norm(inferred, axis=1)
    assert cosines.mean() > 0.8


def test_word_order_matters_to_distributed_memory():
    method = make_method("pv-dm", **MANY).fit(TEXTS)
    forth, back = method.transform(["cats purr and dogs bark", "bark dogs and purr cats"])
    assert not np.allclose(forth, back)


def test_vectors_do_not_depend_on_the_hash_seed():
    # Strings hash differently in another process with another seed.
    code = (
        "from psif.baselines import make_method\n"
        f"method = make_method('pv-dm', **{MANY!r}).fit({TEXTS!r})\n"
        f"print(method.transform({NEW!r}).tolist())"
    )
    seed = str((hash("cats") % 1000) + 1)
    there = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
    ).stdout
    here = make_method("pv-dm", **MANY).fit(TEXTS).transform(NEW)
    assert there.strip() == str(here.tolist())


def test_without_gensim_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(MissingExtraError, match=r"psif\[gensim\]"):
        make_method("pv-dbow").fit(TEXTS * 2)
