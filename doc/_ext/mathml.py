"""Write formulas as MathML, which browsers render without script or network."""

from docutils import nodes
from latex2mathml.converter import convert


def inline(self, node):
    """Write a formula within a sentence."""
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def display(self, node):
    """Write a formula on a line of its own, which scrolls where it is too wide."""
    formula = convert(node.astext(), display="block")
    self.body.append(f'<div class="math" tabindex="0">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app):
    """Offer the renderer to Sphinx."""
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
