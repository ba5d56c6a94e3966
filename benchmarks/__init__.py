"""Everything that measures speed; not part of the installed package.

``python -m benchmarks`` plans jobs (:mod:`benchmarks.plan`), runs each in a process of its own
(:mod:`benchmarks.runner`), keeps the measurements (:mod:`benchmarks.results`) and writes one report
(:mod:`benchmarks.report`).
"""
