"""Linear classifiers with chosen C, exact and fast on dense features."""
