"""Adapters for other libraries, one per file, and exports to vector stores; imported on use."""
