"""One file format a module: each reads words, matrix and, where the format has them, subwords."""
