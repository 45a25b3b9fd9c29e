"""How Sphinx builds this documentation: ``sphinx-build -W -b html doc doc/_build``."""

import skcompare

project = "skcompare"
author = "the skcompare developers"
copyright = author
version = release = skcompare.__version__

extensions = [
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.extlinks",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]
# No intersphinx: a build must not need a network.
exclude_patterns = ["_build", "_templates", "gallery", "simulations"]
templates_path = ["_templates"]
default_role = "literal"

# The class template lists members; numpydoc would list them a second time.
numpydoc_show_class_members = False
autosummary_generate = True
autodoc_member_order = "bysource"
extlinks = {"doi": ("https://doi.org/%s", "doi:%s")}

html_theme = "pydata_sphinx_theme"
html_title = f"skcompare {version}"
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": False, "secondary_sidebar_items": []}

# Prompts and output are not copied.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "download_all_examples": False,
    "show_signature": False,
    "abort_on_example_error": True,
}


def leave_out(app, what, name, member, skip, options):
    """Skip fitted attributes, which docstrings list, and scikit-learn's methods."""
    module = getattr(member, "__module__", None) or ""
    return True if name.endswith("_") or module.startswith("sklearn.") else None


def setup(app):
    """Connect to Sphinx."""
    app.connect("autodoc-skip-member", leave_out)
