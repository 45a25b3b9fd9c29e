"""The report's tables beside ours, as rows of text."""

import csv

from benchmarks.reuters.published import (
    PAIRS,
    ROPE,
    TABLE_3,
    TABLE_4,
    TABLE_5,
    sign_of_pvalue,
)
from skcompare.stats import CredibleInterval
from skcompare.stats.posterior import as_rope, decide

ROUNDING = 0.01  # the report prints two decimals


def table_3(study):
    """Precision, recall and F1: the report's micro averages, ours, our macro ones."""
    heads = ["system"]
    heads += [f"{name}, report" for name in ("miP", "miR", "miF1")]
    heads += ["miP", "miR", "miF1", "maP", "maR", "maF1"]
    rows = []
    for system, published in TABLE_3.items():
        ours = study.scores[system]
        numbers = [*published, *ours["micro"], *ours["macro"]]
        rows.append([system, *(f"{number:.4f}" for number in numbers)])
    return heads, rows


def table_4(study):
    """P-values and intervals of the 28 pairs in micro F1."""
    heads = ["A", "B", "p, report", "interval, report", "sign, report"]
    heads += ["p", "interval", "sign", "p, swaps", "decision"]
    rows = []
    bootstrap, corrected = study.bootstrap, study.corrected
    for place, (a, b) in enumerate(bootstrap.pairs):
        published_p, published_interval, published_sign = TABLE_4[a, b]
        rows.append(
            [
                *(a, b, f"{published_p:g}"),
                *(interval(published_interval, "g"), published_sign),
                f"{bootstrap.pvalues[place]:.4g}",
                interval(bootstrap.intervals[place]),
                sign_of_pvalue(bootstrap.pvalues[place]),
                f"{study.randomization.pvalues[place]:.4f}",
                corrected.decisions[place],
            ]
        )
    return heads, rows


def table_5(study):
    """Posteriors of the difference in macro F1, which the report calls micro."""
    heads = ["A", "B", "P(<), P(=), P(>), report", "HDI, report", "sign, report"]
    heads += ["by its rule", "P(<), P(=), P(>)", "HDI", "sign"]
    rows = []
    for a, b in PAIRS:
        *published, hdi, sign = TABLE_5[a, b]
        ours = study.posteriors["independent", "macro"][a, b]
        rows.append(
            [
                *(a, b, ", ".join(f"{p:g}" for p in published)),
                *(interval(hdi, "g"), sign, by_its_rule(hdi, sign)),
                *(probabilities(ours), interval(ours.hdi), ours.decision),
            ]
        )
    return heads, rows


def table_6(study):
    """The posteriors that the report does not have: paired ones, and micro F1."""
    kinds = [("independent", "micro"), ("paired", "micro"), ("paired", "macro")]
    heads = ["A", "B"]
    for kind, average in kinds:
        heads += [f"{average} F1, {kind}: HDI", "sign"]
    rows = []
    for pair in PAIRS:
        results = [study.posteriors[kind][pair] for kind in kinds]
        cells = [(interval(r.hdi), r.decision) for r in results]
        rows.append([*pair, *sum(cells, ())])
    return heads, rows


TABLES = {3: table_3, 4: table_4, 5: table_5, 6: table_6}


def slips():
    """Return where the report's tables contradict its own rules or each other.

    Returns
    -------
    list of str
        One line a contradiction, computed from the figures as printed.
    """
    lines = []
    for (a, b), (pvalue, (low, high), sign) in TABLE_4.items():
        delta = TABLE_3[a][2] - TABLE_3[b][2]
        if sign != sign_of_pvalue(pvalue):
            lines.append(
                f"Table 4, {a} and {b}: p = {pvalue:g} is {sign_of_pvalue(pvalue)!r} "
                f"by the rule and {sign!r} in print."
            )
        if not low - ROUNDING / 2 <= delta <= high + ROUNDING / 2:
            lines.append(
                f"Table 4, {a} and {b}: table 3 has a difference of {delta:+.4f}, "
                f"outside {interval((low, high), 'g')}."
            )
    for (a, b), (*_, hdi, sign) in TABLE_5.items():
        rule = by_its_rule(hdi, sign)
        if sign != rule:
            lines.append(
                f"Table 5, {a} and {b}: {interval(hdi, 'g')} is {rule!r} by the rule "
                f"and {sign!r} in print."
            )
    return lines


def by_its_rule(hdi, printed):
    """Return the sign that the report's rule gives to an interval as printed.

    The printed one stands where some interval that rounds to the printed has it.
    """
    low, high = hdi
    half = ROUNDING / 2
    possible = {
        decide(CredibleInterval(low + shift, high + other), as_rope(ROPE))
        for shift in (-half, 0.0, half)
        for other in (-half, 0.0, half)
    }
    as_printed = decide(CredibleInterval(low, high), as_rope(ROPE))
    return printed if printed in possible else as_printed


def interval(ends, form=".3f"):
    """Return an interval as text."""
    return "[{}, {}]".format(*(format(end + 0.0, form) for end in ends))


def probabilities(result):
    """Return the probabilities below, inside and above the region as text."""
    shares = result.p_worse, result.p_equivalent, result.p_better
    return ", ".join(f"{round(share, 2):g}" for share in shares)


def as_text(heads, rows):
    """Return a table as lines of text with aligned columns."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = [heads, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(
            cell.ljust(width) for cell, width in zip(line, widths, strict=True)
        ).rstrip()
        for line in lines
    )


def write_csv(path, heads, rows):
    """Write a table as comma-separated values; intervals are not to be broken."""
    rows = [[cell.replace(", ", ",\N{NO-BREAK SPACE}") for cell in row] for row in rows]
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([heads, *rows])
