"""Look at the topics of a corpus, and at the topics of one document."""

from psif import PSIF
from psif.files.standard_library import docstrings

docs = docstrings()
names, texts = list(docs), list(docs.values())

model = PSIF(n_topics=20, random_state=0).fit(texts)

for topic in sorted(model.topics(n_words=6, texts=texts), key=lambda topic: -topic.share)[:8]:
    examples = ", ".join(names[i] for i in topic.examples)
    print(f"topic {topic.index:2}  {topic.share:5.1%}  {' '.join(topic.words)}\n    {examples}")

topic, strength, name = model.assign_topics([docs["socket.create_connection"]])[0]
print(f"socket.create_connection is about: {name} ({strength:.0%} more than the others)")
