"""Embed documents and find the ones nearest to a query."""

import numpy as np

from psif import PSIF
from psif.files.standard_library import docstrings

docs = docstrings()  # name of a function -> its documentation
names, texts = list(docs), list(docs.values())

model = PSIF(random_state=0)
vectors = model.fit_transform(texts)
print(f"{len(texts)} documents, {vectors.shape[1]} numbers per document")

for query in ["compress a file with gzip", "wait until several threads have finished"]:
    scores = vectors @ model.transform([query])[0]  # vectors have length 1: these are cosines
    print(f"\n{query}")
    for i in np.argsort(-scores)[:5]:
        print(f"  {scores[i]:.2f}  {names[i]:40} {texts[i].splitlines()[0][:50]}")
