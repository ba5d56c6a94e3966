"""Labels of documents: a linear classifier of document vectors, with exact reasons."""
