"""Find documents by exact words and by topics, with the reason for every hit."""
