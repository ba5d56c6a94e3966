"""Every loop is also plain Python: ``NUMBA_DISABLE_JIT=1`` lets a debugger into it."""

import json
import os
import subprocess
import sys

import numpy as np

from psif import PSIF, Index, PSIFClassifier
from tests import corpora


def results():
    """Numbers that training, sparse coding, averaging, tokenising and search take part in."""
    texts = corpora.texts(30)
    settings = {"dim": 3, "n_topics": 2, "random_state": 0}
    ppmi = PSIF(vectors="ppmi", **settings).fit(texts)
    sgns = PSIF(vectors="sgns", **settings).fit(texts)
    wide = PSIF(word_columns=0.5, **settings).fit(texts)
    clf = PSIFClassifier(PSIF(word_columns=0.5, **settings), pairs=True, random_state=0)
    clf.fit(texts, [i % 3 for i in range(len(texts))])
    hits = Index.build(texts, model=ppmi).search("ship", k=5)
    return {
        "ppmi": ppmi.transform(texts).tolist(),
        "sgns": sgns.transform(texts).tolist(),
        "word columns": wide.transform(texts).tolist(),
        "scores": clf.decision_function(texts).tolist(),
        "hits": [[int(hit.id), hit.score] for hit in hits],
    }


def test_loops_without_the_compiler_give_the_same_numbers():
    code = """
import json, numba, sys
from tests.compiled.test_without_compiler import results
from psif.compiled.average import average_documents
assert numba.config.DISABLE_JIT and type(average_documents).__name__ == "function"
json.dump(results(), sys.stdout)
"""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    plain, compiled = json.loads(done.stdout), results()
    for name, numbers in compiled.items():
        assert np.any(numbers), name
        np.testing.assert_allclose(plain[name], numbers, atol=2e-5, err_msg=name)
