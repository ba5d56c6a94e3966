"""How the data files inside the package are made; not part of the wheel."""
