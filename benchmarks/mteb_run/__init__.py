"""Tasks of MTEB over local data: ``python -m benchmarks.mteb_run``."""
