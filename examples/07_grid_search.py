"""Choose settings of the model and of the classifier by cross-validation."""

from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

from psif import PSIF
from psif.files.standard_library import docstrings

modules = ("asyncio", "email", "logging", "unittest")
docs = {name: text for name, text in docstrings().items() if name.startswith(modules)}
texts, labels = list(docs.values()), [name.partition(".")[0] for name in docs]

pipeline = Pipeline(
    [
        ("psif", PSIF(random_state=0)),
        ("classifier", LogisticRegression(max_iter=1000)),
    ]
)
grid = {"psif__n_topics": [1, 10], "classifier__C": [1, 30]}
search = GridSearchCV(pipeline, grid, cv=3).fit(texts, labels)
for params, score in zip(
    search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True
):
    print(f"{score:.3f}  {params}")
print("best:", search.best_params_)
