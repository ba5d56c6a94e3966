import sys
from pathlib import Path

from psif import __version__

sys.path.insert(0, str(Path(__file__).parent))  # mathml.py

project = "psif"
author = "The psif authors"
copyright = "2026, the psif authors"
release = __version__

extensions = [
    "mathml",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
napoleon_google_docstring = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"
html_math_renderer = "mathml"
html_theme = "furo"
html_title = "psif"
html_static_path = ["_static"]
html_css_files = ["site.css"]
exclude_patterns = ["_build"]
