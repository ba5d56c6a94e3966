"""Named groups of documents: learned on a sample, assigned by a linear rule."""
