from psif import __version__

project = "psif"
author = "The psif authors"
copyright = "2026, the psif authors"
release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
napoleon_google_docstring = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
html_theme = "furo"
html_title = "psif"
html_static_path = ["_static"]
exclude_patterns = ["_build"]
