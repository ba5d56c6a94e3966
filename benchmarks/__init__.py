"""Measurements of single rooms, for developers; `python -m benchmarks` runs them all.

What a user would compare is measured by `psif bench`, whose parts these share.
"""
