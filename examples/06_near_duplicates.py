"""Find texts that say almost the same."""

from psif import find_duplicates
from psif.files.standard_library import docstrings

docs = {name: text for name, text in docstrings().items() if len(text.split()) >= 20}
names, texts = list(docs), list(docs.values())

for level in ("identical", "near", "paraphrase"):
    groups = find_duplicates(texts, level=level)
    print(f"{level + ':':12} {len(groups)} groups")
    for group in sorted(groups, key=len, reverse=True)[:3]:
        print("  ", ", ".join(names[position] for position in group[:4]))
