"""Word vectors: load any, train fast."""
