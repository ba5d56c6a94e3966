"""Evaluation sets: where they are and how they are fetched."""
