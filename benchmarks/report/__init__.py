"""A run as tables and pictures, in Markdown and HTML."""
