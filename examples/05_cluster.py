"""Sort documents into named groups, and say why a document is in its group."""

from psif import PSIF
from psif.files.standard_library import docstrings

docs = docstrings()
names, texts = list(docs), list(docs.values())
model = PSIF.from_preset("retrieval", n_dims=100, random_state=0).fit(texts)

groups = model.groups(texts, 12)
for group in groups.groups[:8]:
    print(f"{group.size:5} documents  {group.name:45}  such as {names[group.typical[0]]}")
print(groups.explain(texts[names.index("gzip")]))
