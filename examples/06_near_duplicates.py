"""Find texts that say almost the same."""

from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import normalize

from psif import PSIF
from psif.files.standard_library import docstrings

docs = {name: text for name, text in docstrings().items() if len(text.split()) >= 20}
names, texts = list(docs), list(docs.values())

# Exact words decide here, so half of the cosine comes from one column per word.
model = PSIF(word_columns=0.5, counts="log", weighting="idf", n_dims=100, random_state=0)
vectors = normalize(model.fit_transform(texts))
nearest = NearestNeighbors(n_neighbors=3).fit(vectors).kneighbors(vectors, return_distance=False)

pairs = {(min(i, int(j)), max(i, int(j))) for i, row in enumerate(nearest) for j in row if i != j}
scored = sorted(((float(vectors[i] @ vectors[j]), i, j) for i, j in pairs), reverse=True)
above = sum(score > 0.95 for score, *_ in scored)
print(f"{above} pairs with a similarity above 0.95, for example:")
for score, i, j in scored[:5]:
    print(f"  {score:.3f}  {names[i]}  =  {names[j]}")
