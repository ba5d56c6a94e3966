"""A small collection for the explorer, with hostile documents in it."""

from __future__ import annotations

import json
import warnings

import numpy as np

from psif import PSIF
from psif.explorer.answers import Answers
from psif.explorer.collection import load_collection
from tests import corpora

SCRIPT = '<script>document.title="hacked"</script><img src=x onerror="document.title=1"> ship'
HOSTILE = {
    "</script><b>id": SCRIPT,
    "__proto__": "constructor toString ship <!-- --> </script> sail",
    "a/../%2e\u202e\u0000x": "wave \ud800 harbour",
    "empty": "zzz",
}


def documents(n_docs=60):
    docs = {f"doc-{i}": text for i, text in enumerate(corpora.texts(n_docs))}
    return {**docs, **HOSTILE}


def make_model(**options):
    settings = {"n_topics": 3, "random_state": 0, **options}
    return PSIF(corpora.vectors(), **settings).fit(corpora.texts())


def write_vectors(model, docs, path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        vectors = model.transform(docs.values())
    np.save(path, vectors)
    ids = "".join(json.dumps({"id": key}) + "\n" for key in docs)
    path.with_suffix(path.suffix + ".ids.jsonl").write_text(ids)
    return path


def make_answers(folder, *, texts=True, most=1000, **options):
    model, docs = make_model(**options), documents()
    path = write_vectors(model, docs, folder / "v.npy")
    given = docs.items() if texts else None
    return Answers(load_collection(model, path, given, title="Ships & <b>planes</b>", most=most))
