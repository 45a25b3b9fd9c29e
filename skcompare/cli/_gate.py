"""``skcompare gate``: an exit code that says whether A may replace B."""

import math

from skcompare._format import format_pvalue
from skcompare.cli._data import load
from skcompare.cli._errors import UsageError
from skcompare.cli._options import (
    add_data,
    add_level,
    add_output,
    add_run,
    add_test,
)
from skcompare.cli._output import (
    as_dict,
    check_destination,
    deliver,
    render,
    rendered_json,
    wrapped,
)
from skcompare.cli._tests import TESTS, compared, make_test
from skcompare.stats import (
    count_exceeding,
    resampling_pvalue,
    rounding_tolerance,
)

__all__ = ["EXAMPLES", "HELP", "add_options", "margin_pvalue", "run"]

HELP = "exit with 0 only if A is shown to be better than B"
EXAMPLES = """\
A passes if the test rejects, at --alpha, that it is better than B by no more than
--margin. With several metrics it must pass in each of them. A negative margin asks
whether A is at least not worse than B by so much.

examples:
  skcompare gate preds.csv --truth gold --a new --b old --scoring f1_macro
  skcompare gate preds.csv --truth gold --a new --b old --margin 0.01 --alpha 0.01

exit codes:
  0  A passed
  1  A did not pass
  2  an error, told in one line on standard error
"""

PASSED, FAILED = 0, 1


def add_options(parser):
    """Add the options of this command."""
    add_data(parser)
    testing = parser.add_argument_group("testing")
    add_test(testing, [name for name in TESTS if name != "bayes"])
    add_level(testing, sided=False)
    testing.add_argument(
        "--margin",
        type=float,
        default=0.0,
        metavar="SIZE",
        help="A must be better by more than this (default: 0)",
    )
    add_run(testing)
    add_output(parser.add_argument_group("output"), ("text", "json"))
    parser.set_defaults(alternative=None)


def run(options):
    """Compare, and let A pass or not."""
    check_destination(options.output, options.files)
    _check_margin(options)
    data = load(options)
    results = compared(make_test(options, data), data)
    pvalues = [margin_pvalue(result, options.margin) for result in results]
    passed = all(p <= r.alpha for p, r in zip(pvalues, results, strict=True))
    show = _as_json if options.format == "json" else _as_text
    text = show(passed, options.margin, pvalues, results, options.words)
    deliver(text, options.output)
    return PASSED if passed else FAILED


def _check_margin(options):
    if not math.isfinite(options.margin):
        raise UsageError(f"--margin must be a finite number. Got {options.margin}")
    if options.margin == 0:
        return
    if options.test != "bootstrap" or isinstance(options.n_resamples, str):
        raise UsageError(
            "--margin needs --test bootstrap with a number of resamples: other tests "
            "are about differences from 0"
        )
    if options.scoring is not None and len(options.scoring) > 1:
        raise UsageError(
            "--margin is in units of one metric. Got --scoring "
            f"{','.join(options.scoring)}"
        )


def margin_pvalue(result, margin):
    """Return the p-value of the hypothesis that A is better by no more than a margin.

    The bootstrap tells how far the observed difference strays from the true one. So it
    is the share of resamples that stray at least as far as the observed difference lies
    above the margin; for a margin of 0 that is the p-value of the test itself.

    Parameters
    ----------
    result : ComparisonResult
        The result of a test with ``alternative="greater"``, by bootstrap unless the
        margin is 0.
    margin : float
        The margin.

    Returns
    -------
    float
        The p-value.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare import PairedBootstrap
    >>> truth, b = np.ones(40, dtype=int), np.arange(40) % 4 // 3
    >>> test = PairedBootstrap(n_resamples=999, random_state=0)
    >>> result = test.fit_predictions(truth, truth, b).result_
    >>> result.delta, margin_pvalue(result, 0.0), margin_pvalue(result, 0.7) > 0.1
    (0.75, 0.001, True)
    """
    if margin == 0:
        return result.pvalue
    strays = result.distribution - result.center
    tolerance = rounding_tolerance([result.score_a, result.score_b], abs(margin))
    n_exceeding = count_exceeding(
        strays, result.delta - margin, "greater", tolerance=tolerance
    )
    return resampling_pvalue(n_exceeding, len(strays))


def _as_json(passed, margin, pvalues, results, words):
    found = [
        {**as_dict(result, words), "gate_pvalue": pvalue}
        for result, pvalue in zip(results, pvalues, strict=True)
    ]
    return rendered_json({"passed": passed, "margin": margin, "results": found})


def _as_text(passed, margin, pvalues, results, words):
    word, shown = ("PASSED", "shown") if passed else ("NOT PASSED", "not shown")
    found = ", ".join(
        f"p = {format_pvalue(pvalue)} in {result.scoring}"
        for result, pvalue in zip(results, pvalues, strict=True)
    )
    level = f"level {results[0].alpha:g}"
    verdict = f"{word}: that {_claim(margin)} is {shown} ({found}, {level})."
    return "\n\n".join([wrapped(verdict), render(results, "text", words)])


def _claim(margin):
    if margin < 0:
        return f"A is worse than B by less than {-margin:g}"
    return "A is better than B" + (f" by more than {margin:g}" if margin else "")
