"""Bring evaluation sets from their official homes into the layout that the tasks read."""
