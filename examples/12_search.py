"""Search documents by exact words and by topics, with the reason for every hit."""

import tempfile
from pathlib import Path

from psif import Index
from psif.files.standard_library import docstrings

docs = docstrings()
modules = [{"module": name.partition(".")[0], "words": len(docs[name].split())} for name in docs]
index = Index.build(docs.values(), ids=docs, metadata=modules)

for hit in index.search("compress a file with gzip", k=3):
    print(f"{hit.score:5.2f}  {hit.id}: {hit.snippet[:70]}")

print("\nonly in asyncio, at least 20 words:")
for hit in index.search("wait for several tasks", k=3, where="module == 'asyncio' and words >= 20"):
    print(f"{hit.score:5.2f}  {hit.id}")
words = [word["word"] for word in hit.explanation.to_dict()["lexical"]]
print(f"words of the query in the last hit: {words}")

with tempfile.TemporaryDirectory() as folder:
    index.save(Path(folder, "library.index"))
    again = Index.load(Path(folder, "library.index"), mapped=False)
    print(f"{len(again)} documents, saved and loaded")
