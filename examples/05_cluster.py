"""Group documents with k-means, and name each group by the words that stand out in it."""

from collections import Counter

import numpy as np
from sklearn.cluster import KMeans
from sklearn.preprocessing import normalize

from psif import PSIF
from psif.files.standard_library import docstrings

docs = docstrings()
names, texts = list(docs), list(docs.values())
model = PSIF.from_preset("retrieval", n_dims=100, random_state=0)
vectors = normalize(model.fit_transform(texts))

groups = KMeans(12, n_init=1, random_state=0).fit_predict(vectors)
everywhere = Counter(word for text in texts for word in set(model.tokenizer_(text)))
for group, size in Counter(groups.tolist()).most_common(8):
    members = np.flatnonzero(groups == group)
    inside = Counter(word for i in members for word in set(model.tokenizer_(texts[i])))
    # Words that are frequent in the group and rare outside it.
    lift = {word: n * n / everywhere[word] for word, n in inside.items()}
    top = sorted(lift, key=lift.__getitem__, reverse=True)[:5]
    print(f"{size:5} documents  {' '.join(top):45}  such as {names[members[0]]}")
