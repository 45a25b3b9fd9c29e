"""Results as documents: text, Markdown, HTML and LaTeX."""
