"""Fetch evaluation sets from public sources into the layout that the tasks read."""
