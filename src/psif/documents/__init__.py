"""Words to document vectors: weights, averages, components, projection."""
