"""Threads, BLAS products, seeds, atomic files and provenance: used by every other package."""
