"""Copies of a text: identical, near-identical, and paraphrases."""
