"""Methods to compare P-SIF with, behind one interface: ``fit(texts)``, ``transform(texts)``.

>>> from psif.baselines import METHODS, make_method
>>> METHODS["sif"].citation.split(",")[0]
'Arora'
"""

from psif.baselines.registry import METHODS, Method, make_method

__all__ = ["METHODS", "Method", "make_method"]
