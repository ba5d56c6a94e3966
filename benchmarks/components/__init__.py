"""Measurements of single packages."""
