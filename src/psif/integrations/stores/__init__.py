"""Vector stores that ``psif export`` fills, one per file."""
