"""Formulas as MathML, which browsers draw themselves: no script, no font file, no network."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)


def mathml(formula: str, node: nodes.Node, *, display: str) -> str:
    """Translate a formula; a failure is a warning, which ``make docs`` refuses."""
    formula = re.sub(r"\\([Bb]igg?)\\\|", r"\\\1‖", formula)  # the converter wants the character
    if display == "block":
        formula = re.sub(r"\\(min|max)_", r"\\\1\\limits_", formula)
        if r"\\" in formula:
            formula = rf"\begin{{align*}}{formula}\end{{align*}}"
    try:
        return convert(formula, display=display)
    except Exception as error:
        logger.warning("formula %r: %r", formula, error, location=node)
        return ""


def visit_inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(mathml(node.astext(), node, display="inline"))
    raise nodes.SkipNode


def visit_block(translator: Any, node: nodes.math_block) -> None:
    formula = mathml(node.astext(), node, display="block")
    translator.body.append(f'<div class="math">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
