"""Threads, BLAS, seeds, atomic files: what every package runs on."""
