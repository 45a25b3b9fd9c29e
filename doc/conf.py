"""How Sphinx builds this documentation: ``sphinx-build -W -b html doc doc/_build``."""

import sys
from pathlib import Path

import skcompare

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "skcompare"
author = "the skcompare developers"
copyright = author
version = release = skcompare.__version__

extensions = [
    "mathml",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.extlinks",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
# A build needs no network: make_inventories.py wrote what the links are made from.
intersphinx_mapping = {
    "numpy": ("https://numpy.org/doc/stable/", "_inventories/numpy.inv"),
    "scipy": ("https://docs.scipy.org/doc/scipy/", "_inventories/scipy.inv"),
    "sklearn": ("https://scikit-learn.org/stable/", "_inventories/sklearn.inv"),
}
html_math_renderer = "mathml"
exclude_patterns = ["_build", "_ext", "_templates", "gallery", "simulations"]
templates_path = ["_templates"]
default_role = "literal"

# The class template lists members; numpydoc would list them a second time.
numpydoc_show_class_members = False
autosummary_generate = True
autodoc_member_order = "bysource"
extlinks = {"doi": ("https://doi.org/%s", "doi:%s")}

html_theme = "pydata_sphinx_theme"
html_context = {"default_mode": "auto"}  # light or dark, as the reader has it
html_title = f"skcompare {version}"
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/logo.svg"
html_sidebars = {"index": [], "getting_started": []}
html_theme_options = {
    "logo": {
        "image_light": "_static/logo-wide-light.svg",
        "image_dark": "_static/logo-wide-dark.svg",
        "alt_text": "skcompare",
    },
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "footer_start": ["copyright"],
    "footer_end": [],
}

# Prompts and output are not copied.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "within_subsection_order": "FileNameSortKey",
    "subsection_order": [
        f"gallery/{section}"
        for section in (
            "tutorials",
            "two_models",
            "cross_validation",
            "many_models",
            "advice",
            "speed_and_reports",
        )
    ],
    "download_all_examples": False,
    "show_signature": False,
    "ignore_repr_types": r"skcompare\.results\.displays|matplotlib",
    "remove_config_comments": True,
    "abort_on_example_error": True,
}


def leave_out(app, kind, name, member, skip, options):
    """Skip fitted attributes, which docstrings list, and scikit-learn's methods."""
    module = getattr(member, "__module__", None) or ""
    return True if name.endswith("_") or module.startswith("sklearn.") else None


def setup(app):
    """Connect to Sphinx."""
    app.connect("autodoc-skip-member", leave_out)
