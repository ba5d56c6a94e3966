"""From words to document vectors: weights, averages, components, projections."""
