"""Split a similarity exactly over topics and over pairs of words."""

from psif import PSIF
from psif.files.standard_library import docstrings

docs = docstrings()
model = PSIF(random_state=0).fit(docs.values())

why = model.explain(docs["gzip.open"], docs["lzma.open"])
print(f"gzip.open and lzma.open: {why.score:.3f}")
for topic in why.topics[:3]:
    print(f"  {topic.share:+.3f}  {topic.name}: {' '.join(topic.words)}")
for pair in why.pairs[:5]:
    print(f"  {pair.share:+.3f}  {pair.a} ~ {pair.b}")

parts = sum(topic.share for topic in why.topics) + why.removed
print(f"the parts sum to {parts:.3f}")
