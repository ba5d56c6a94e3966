"""Classify raw text with a scikit-learn pipeline: find the module of a docstring."""

from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from psif import PSIF
from psif.files.standard_library import docstrings

modules = ("asyncio", "email", "logging", "unittest", "http", "importlib")
docs = {name: text for name, text in docstrings().items() if name.startswith(modules)}
texts, labels = list(docs.values()), [name.partition(".")[0] for name in docs]
train, test, y_train, y_test = train_test_split(texts, labels, random_state=0, stratify=labels)

classifier = make_pipeline(
    PSIF(random_state=0),
    LogisticRegression(),
)
classifier.fit(train, y_train)
print(f"accuracy on {len(test)} new documents: {classifier.score(test, y_test):.2f}")
print(classifier.predict(["Send a message with an attachment.", "Skip a test unconditionally."]))
