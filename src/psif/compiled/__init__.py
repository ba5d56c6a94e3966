"""Compiled loops: arrays in, arrays out, nothing of ours imported."""
