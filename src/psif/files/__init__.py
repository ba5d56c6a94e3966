"""Documents in, vectors out: reading, writing and resuming."""
