"""Train word vectors once, save them, and use them in two models."""

import tempfile
from pathlib import Path

from psif import PSIF, WordVectors
from psif.files.standard_library import docstrings

docs = docstrings()
vectors = WordVectors.train(docs.values(), method="ppmi", dim=100, random_state=0)
print(vectors)

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "words")
    vectors.save(path)  # load() reads this folder, and also word2vec, GloVe, fastText and others
    table = WordVectors.load(path)

    one = PSIF(table, n_topics=1, random_state=0).fit(docs.values())
    many = PSIF(table, n_topics=20, random_state=0).fit(docs.values())
    a, b, c = docs["gzip.open"], docs["lzma.open"], docs["socket.create_connection"]
    for name, model in (("one topic", one), ("20 topics", many)):
        related, unrelated = model.similarity(a, b), model.similarity(a, c)
        print(f"{name:18} related {related:.2f}  unrelated {unrelated:.2f}")
