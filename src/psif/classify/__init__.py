"""Labels of documents: linear classifiers of document vectors."""
