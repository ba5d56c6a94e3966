"""Save a model, load it without scikit-learn, and embed one text at a time."""

import tempfile
from pathlib import Path

import numpy as np

from psif import PSIF, Embedder
from psif.files.standard_library import docstrings

docs = docstrings()
model = PSIF(n_topics=20, dim=100, random_state=0).fit(docs.values())
text = "Return the median of numeric data."
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "model")
    model.save(path)
    for file in sorted(path.iterdir()):
        print(f"{file.stat().st_size:12,} bytes  {file.name}")

    # mapped=True would leave the arrays in the file, so that several processes share them.
    light = Embedder.load(path)
vector = light.transform([text])[0]
same = np.array_equal(vector, model.transform([text])[0])
print(f"{len(vector)} numbers, the same as before: {same}")
