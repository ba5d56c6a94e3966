"""Score methods on tasks."""
