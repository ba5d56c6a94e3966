"""A small collection for the explorer, with hostile documents in it."""

from __future__ import annotations

import base64
import gzip
import json
import re
import warnings

import numpy as np

from psif import PSIF
from psif.explorer.answers import Answers
from psif.explorer.collection import load_collection
from psif.explorer.columns import Fields
from psif.model.presets import PLAIN
from tests import corpora

SCRIPT = '<script>document.title="hacked"</script><img src=x onerror="document.title=1"> ship'
HOSTILE = {
    "</script><b>id": SCRIPT,
    "__proto__": "constructor toString ship <!-- --> </script> sail",
    "a/../%2e\u202e\u0000x": "wave \ud800 harbour",
    "empty": "zzz",
}


def page_data(page):
    """The data inside an exported page, given as text."""
    content = re.search(r'id="data">(.*?)</script>', page, re.DOTALL).group(1)
    return json.loads(gzip.decompress(base64.b64decode(content)))


def documents(n_docs=60):
    docs = {f"doc-{i}": text for i, text in enumerate(corpora.texts(n_docs))}
    return {**docs, **HOSTILE}


def other_columns(n_docs=60):
    """Columns of every kind for these documents; the last ones have hostile or missing values."""
    rng = np.random.default_rng(1)
    names = list(corpora.GROUPS)
    rows = [
        {
            "kind": names[i % 3],
            "size": int(rng.integers(1, 200)),
            "when": f"2024-{i % 12 + 1:02d}-{i % 28 + 1:02d}",
            "note": f"number {i} of many",
            "<b>rating</b>": i % 5,
        }
        for i in range(n_docs)
    ]
    rows.append({"kind": "<img src=x onerror=document.title=1>", "size": None})
    rows.append({"note": "</script><b>", "when": None, "__proto__x": "constructor"})
    rows += [{}] * (len(HOSTILE) - 2)
    return rows


def with_columns(docs, fields):
    """Documents as a reader yields them, their other columns told first."""
    for (key, text), columns in zip(docs.items(), other_columns(), strict=True):
        fields(columns)
        yield key, text


def make_model(**options):
    settings = {"n_topics": 3, "random_state": 0, **options}
    return PSIF(corpora.vectors(), **{**PLAIN, **settings}).fit(corpora.texts())


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
    fields = Fields()
    given = with_columns(docs, fields) if texts else None
    return Answers(
        load_collection(model, path, given, fields=fields, title="Ships & <b>planes</b>", most=most)
    )
