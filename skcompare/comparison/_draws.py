"""Evaluating plans of resampling, with a memory: more draws add to those known."""

import numpy as np

from skcompare._engine import evaluate_draws

__all__ = ["Draws"]


class Draws:
    """Evaluates plans for one question, and remembers what came out.

    Parameters
    ----------
    known : dict
        What came out so far, by label; it is added to.
    seed : int
        The seed of all draws.
    n_jobs : int or None
        The number of workers.
    verbose : int
        Whether to show progress.
    """

    def __init__(self, known, seed, *, n_jobs, verbose):
        self.known, self.seed = known, seed
        self.n_jobs, self.verbose = n_jobs, verbose

    def __call__(self, plan, n_draws, label):
        """Return the scores of draws: those known, and as many more as it takes.

        Parameters
        ----------
        plan : Plan
            What to draw, and how to score it; always the same for a label.
        n_draws : int
            The number of draws.
        label : str
            What the work is called.

        Returns
        -------
        ndarray of shape (n_draws, ...)
            The scores.
        """
        known = self.known.get(label)
        if known is None:
            found = self._evaluate(plan, n_draws, label, first=0)
        elif len(known) < n_draws:
            # What a chunk begins with depends on its size: one cut short is redrawn.
            whole = len(known) - len(known) % plan.scheme.chunk_size
            more = self._evaluate(plan, n_draws, label, first=whole)
            found = np.concatenate([known[:whole], more])
        else:
            return known[:n_draws]
        self.known[label] = found
        return found

    def _evaluate(self, plan, n_draws, label, first):
        return evaluate_draws(
            plan.scheme,
            plan.score,
            n_draws,
            seed=self.seed,
            first=first,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
            label=label,
        )
