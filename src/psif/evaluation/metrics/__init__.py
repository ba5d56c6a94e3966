"""The measures of the paper, and those of retrieval and clustering. Shares are × 100."""
