"""Nine text classifiers on Reuters-21578, compared both ways.

The study repeats a student's report that compared text classifiers by significance
tests and by posteriors (S. Iqbal, "Bayesian evaluation of text classification models",
Linköping University), and sets its figures beside ours. From the repository's root:

    python -m benchmarks.reuters compare               # half a minute, on any machine
    python -m benchmarks.reuters refit --corpus PATH   # an hour or so

README.md, beside this file, says what is here and how it was made.
"""


def no_progress(text, stays=False):
    """Show no progress."""
