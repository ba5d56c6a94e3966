"""Documents to flat token ids."""
