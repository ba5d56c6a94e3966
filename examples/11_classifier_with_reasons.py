"""Train a classifier on raw text, and ask which words decided."""

from sklearn.model_selection import train_test_split

from psif import PSIFClassifier
from psif.files.standard_library import docstrings

modules = ("asyncio", "email", "logging", "unittest", "http")
docs = {name: text for name, text in docstrings().items() if name.startswith(modules)}
texts, labels = list(docs.values()), [name.partition(".")[0] for name in docs]
train, test, y_train, y_test = train_test_split(texts, labels, random_state=0, stratify=labels)

classifier = PSIFClassifier(random_state=0).fit(train, y_train)  # loss and C are chosen by folds
print(f"accuracy on {len(test)} new documents: {classifier.score(test, y_test):.2f}")

text = "Send a message with an attachment to several recipients."
why = classifier.explain(text)
print(f"{why.label}: {why.score:.2f} = bias {why.bias:.2f}", end="")
for word in why.words:
    print(f" {word.share:+.2f} {word.word}", end="")
print()

for mistake in classifier.errors(test, y_test)[:2]:
    print(mistake)
