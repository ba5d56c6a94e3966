"""Tasks, metrics and protocols: score any method of making document vectors."""
