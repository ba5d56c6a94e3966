"""Groups of documents: duplicates, clusters, and their change over time."""
